#include "agent/Transcript.h"

#include "agent/Prompt.h"
#include "support/ContractJson.h"
#include "support/Files.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace autokernel::agent {

static constexpr char Schema[] = "autokernel-transcript/1";

std::string digestOf(const Request &request) {
  std::string all = request.system;
  for (const Message &m : request.messages)
    all +=
        std::string(1, '\0') + (m.role == Message::User ? "u" : "a") + m.text;
  return autokernel::digestOf(all);
}

static llvm::Error failed(const std::string &path, const char *what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "%s: can't be %s: %s", path.c_str(), what,
                                 strerror(errno));
}

// One write to a file opened for appending: a line is there or it isn't.
llvm::Error Transcript::append(const Json &line) {
  std::string text =
      line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
  int fd = open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0)
    return failed(path, "opened");
  // A line that was cut short stays a line of its own.
  off_t size = lseek(fd, 0, SEEK_END);
  char last = '\n';
  if (size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n')
    text = "\n" + text;
  ssize_t written = write(fd, text.data(), text.size());
  bool good = written == ssize_t(text.size()) && fsync(fd) == 0;
  if (!good && written > 0)
    (void)!ftruncate(fd, size); // a full disk: whole or not at all
  int error = good ? 0 : errno ? errno : ENOSPC;
  close(fd);
  errno = error;
  return good ? llvm::Error::success() : failed(path, "written");
}

llvm::Expected<std::vector<Transcript::Json>> Transcript::lastRun() const {
  std::vector<Json> lines;
  if (!llvm::sys::fs::exists(path))
    return lines;
  auto text = readFile(path);
  if (!text)
    return text.takeError();
  llvm::SmallVector<llvm::StringRef, 64> rows;
  llvm::StringRef(*text).split(rows, '\n', -1, false);
  for (llvm::StringRef row : rows) {
    Json line = Json::parse(row.begin(), row.end(), nullptr, false);
    if (!line.is_object() || !line.contains("type"))
      continue; // cut short by a kill
    if (line["type"] == "run") {
      if (line.value("schema", "") != Schema)
        return llvm::createStringError(
            llvm::inconvertibleErrorCode(),
            "%s: not a transcript of this version; move it away", path.c_str());
      lines.clear();
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

static uint64_t number(const Transcript::Json &j, const char *key) {
  auto it = j.find(key);
  return it != j.end() && it->is_number_unsigned() ? it->get<uint64_t>() : 0;
}

static std::string text(const Transcript::Json &j, const char *key) {
  auto it = j.find(key);
  return it != j.end() && it->is_string() ? it->get<std::string>() : "";
}

static std::vector<Recorded>
repliesOf(const std::vector<Transcript::Json> &lines) {
  std::vector<Recorded> out;
  for (const Transcript::Json &line : lines) {
    std::string type = text(line, "type");
    if (type == "judged" && !out.empty() &&
        number(line, "attempt") == out.back().attempt)
      out.back().judged = true;
    if (type != "reply")
      continue;
    Recorded r;
    r.attempt = unsigned(number(line, "attempt"));
    r.reply.text = text(line, "text");
    r.reply.model = text(line, "model");
    r.reply.stop = text(line, "stop");
    r.reply.usage = {number(line, "input_tokens"),
                     number(line, "output_tokens"),
                     number(line, "cached_tokens")};
    r.requestDigest = text(line, "request");
    out.push_back(std::move(r));
  }
  return out;
}

llvm::Expected<std::vector<Recorded>>
Transcript::unfinished(const std::string &fingerprint,
                       const std::string &provider) const {
  auto lines = lastRun();
  if (!lines)
    return lines.takeError();
  if (lines->empty() || text(lines->front(), "type") != "run" ||
      text(lines->front(), "fingerprint") != fingerprint ||
      text(lines->front(), "provider") != provider ||
      text(lines->back(), "type") == "end")
    return std::vector<Recorded>();
  return repliesOf(*lines);
}

llvm::Expected<std::vector<Recorded>> Transcript::replies() const {
  auto lines = lastRun();
  if (!lines)
    return lines.takeError();
  return repliesOf(*lines);
}

llvm::Error Transcript::run(const std::string &region,
                            const std::string &fingerprint,
                            const std::string &provider) {
  return append({{"type", "run"},
                 {"schema", Schema},
                 {"region", region},
                 {"fingerprint", fingerprint},
                 {"provider", provider},
                 {"prompts", PromptVersion}});
}

llvm::Error Transcript::request(unsigned attempt, const Request &request) {
  Json messages = Json::array();
  for (const Message &m : request.messages)
    messages.push_back(
        {{"role", m.role == Message::User ? "user" : "assistant"},
         {"text", m.text}});
  Json line = {{"type", "request"},
               {"attempt", attempt},
               {"digest", digestOf(request)},
               {"messages", std::move(messages)}};
  if (attempt == 1)
    line["system"] = request.system;
  return append(line);
}

llvm::Error Transcript::reply(unsigned attempt, const Reply &r,
                              const std::string &requestDigest) {
  return append({{"type", "reply"},
                 {"attempt", attempt},
                 {"request", requestDigest},
                 {"model", r.model},
                 {"stop", r.stop},
                 {"input_tokens", r.usage.inputTokens},
                 {"output_tokens", r.usage.outputTokens},
                 {"cached_tokens", r.usage.cachedTokens},
                 {"retries", r.retries},
                 {"seconds", r.seconds},
                 {"text", r.text}});
}

llvm::Error Transcript::judged(unsigned attempt, const std::string &idea,
                               const std::string &verdict,
                               const Evidence *evidence,
                               const std::string &problem) {
  Json line = {{"type", "judged"},
               {"attempt", attempt},
               {"idea", idea},
               {"verdict", verdict}};
  if (!problem.empty())
    line["problem"] = problem;
  if (evidence)
    line["evidence"] = toJson(*evidence);
  return append(line);
}

llvm::Error Transcript::end(const std::string &why,
                            std::optional<unsigned> kept) {
  Json line = {{"type", "end"}, {"why", why}};
  if (kept)
    line["kept"] = *kept;
  return append(line);
}

} // namespace autokernel::agent
