#include "agent/http/Sse.h"

namespace autokernel::agent {

bool SseParser::feed(llvm::StringRef bytes) {
  while (!bytes.empty() && !done) {
    if (afterCr && bytes.front() == '\n')
      bytes = bytes.drop_front(); // the CR has ended the line
    afterCr = false;
    size_t end = bytes.find_first_of("\r\n");
    llvm::StringRef piece = bytes.take_front(end);
    if (line.size() + piece.size() + data.size() > LargestEvent) {
      tooLarge = done = true;
      break;
    }
    line += piece;
    if (end == llvm::StringRef::npos)
      break;
    afterCr = bytes[end] == '\r';
    bytes = bytes.drop_front(end + 1);
    done = !endLine();
  }
  return !done;
}

bool SseParser::endLine() {
  llvm::StringRef text = line;
  if (!started)
    text.consume_front("\xEF\xBB\xBF"); // a byte order mark
  started = true;
  bool goOn = true;
  if (text.empty()) {
    goOn = dispatch();
  } else if (text.front() != ':') { // a comment keeps the connection alive
    auto [key, value] = text.split(':');
    value.consume_front(" ");
    field(key, value);
  }
  line.clear();
  return goOn;
}

void SseParser::field(llvm::StringRef key, llvm::StringRef value) {
  if (key == "event") {
    name = value.str();
  } else if (key == "data") {
    if (hasData)
      data += '\n';
    data += value;
    hasData = true;
  }
}

bool SseParser::dispatch() {
  bool goOn = !hasData || onEvent(name, data);
  name.clear();
  data.clear();
  hasData = false;
  return goOn;
}

} // namespace autokernel::agent
