// Server-sent events out of a stream that arrives in pieces of any size.
// Surface: SseParser.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <functional>
#include <string>

namespace autokernel::agent {

/// Follows the HTML standard's grammar: lines end in LF, CR or CRLF, a blank
/// line ends an event, an event that the stream's end cuts off is dropped.
class SseParser {
public:
  /// Gets the event's name (may be empty) and data; false: stop reading.
  using OnEvent = std::function<bool(llvm::StringRef, llvm::StringRef)>;
  explicit SseParser(OnEvent onEvent) : onEvent(std::move(onEvent)) {}

  /// False once the receiver wants no more, or a line or event is larger than
  /// LargestEvent.
  bool feed(llvm::StringRef bytes);
  bool isTooLarge() const { return tooLarge; }

  static constexpr size_t LargestEvent = 16 << 20;

private:
  bool endLine();
  bool dispatch();
  void field(llvm::StringRef name, llvm::StringRef value);

  OnEvent onEvent;
  std::string line, name, data;
  bool hasData = false, afterCr = false, started = false, tooLarge = false,
       done = false;
};

} // namespace autokernel::agent
