// The story of a region's attempts: JSON lines, appended whole.
//
// One file a region, beside the kernel. Each run begins with a "run" line; what
// a later run needs to go on is in the lines behind the last of them. A line
// that a kill cut short is left out. Surface: Transcript, Recorded.
#pragma once

#include "Types.h"
#include "agent/Provider.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace autokernel::agent {

/// A reply of an earlier run, and what the gates said where they got to it.
struct Recorded {
  unsigned attempt = 0;
  Reply reply;
  std::string requestDigest;
  bool judged = false;
};

class Transcript {
public:
  using Json = nlohmann::ordered_json;

  explicit Transcript(std::string path) : path(std::move(path)) {}
  const std::string &file() const { return path; }

  /// Replies of the last run if it was for `fingerprint` and `provider` and
  /// didn't come to its end; nothing otherwise. Errors: a damaged file.
  llvm::Expected<std::vector<Recorded>>
  unfinished(const std::string &fingerprint, const std::string &provider) const;
  /// All replies of the last run, for replays.
  llvm::Expected<std::vector<Recorded>> replies() const;

  llvm::Error run(const std::string &region, const std::string &fingerprint,
                  const std::string &provider);
  llvm::Error request(unsigned attempt, const Request &request);
  llvm::Error reply(unsigned attempt, const Reply &reply,
                    const std::string &requestDigest);
  llvm::Error judged(unsigned attempt, const std::string &idea,
                     const std::string &verdict, const Evidence *evidence,
                     const std::string &problem);
  llvm::Error end(const std::string &why, std::optional<unsigned> kept);

private:
  llvm::Error append(const Json &line);
  llvm::Expected<std::vector<Json>> lastRun() const;

  std::string path;
};

/// Of everything that the provider gets.
std::string digestOf(const Request &request);

} // namespace autokernel::agent
