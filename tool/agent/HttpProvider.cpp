#include "agent/HttpProvider.h"

#include "agent/Dialect.h"
#include "agent/http/Client.h"
#include "agent/http/Sse.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <mutex>

namespace autokernel::agent {

namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t LargestErrorBody = 64 << 10, LongestMessage = 600;

llvm::Error problem(const std::string &message, bool transient = false) {
  return llvm::make_error<ProviderError>(message, transient);
}

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Takes a body in pieces, whatever form it has; keeps the first error.
class BodyReader {
public:
  explicit BodyReader(ReplyReader &reader)
      : reader(reader), events([this](llvm::StringRef, llvm::StringRef data) {
          return take(data);
        }) {
    (void)!error; // an unchecked one can't be overwritten
  }
  ~BodyReader() { llvm::consumeError(std::move(error)); }

  bool feed(long status, llvm::StringRef bytes) {
    bool isError = status >= 400;
    llvm::StringRef text = bytes;
    if (form == Unknown) {
      text = text.ltrim();
      if (!text.empty())
        form = isError || text.front() == '{' ? Whole : Stream;
    }
    if (form == Stream && start.size() < LongestMessage)
      start += bytes.take_front(LongestMessage);
    if (form == Stream)
      return events.feed(bytes);
    body += bytes;
    return !isError || body.size() < LargestErrorBody;
  }

  /// The reply's end, or what was wrong with it.
  llvm::Error finish() {
    if (form == Whole && !error)
      error = reader.whole(body);
    if (error)
      return std::move(error);
    if (events.isTooLarge())
      return problem("an event of the stream is larger than 16 MB");
    if (reader.isComplete())
      return llvm::Error::success();
    if (form == Unknown)
      return problem("the reply is empty", true);
    return problem("the reply was cut off; it begins: " +
                       (form == Whole ? body : start).substr(0, 200),
                   true);
  }

  const std::string &errorBody() const { return body; }

private:
  bool take(llvm::StringRef data) {
    error = reader.event(data);
    return !error && !reader.isOver();
  }

  enum { Unknown, Whole, Stream } form = Unknown;
  ReplyReader &reader;
  SseParser events;
  std::string body, start;
  llvm::Error error = llvm::Error::success();
};

/// The sentence of an error body, whatever its form.
ApiError describeError(long status, const std::string &body) {
  using nlohmann::json;
  json value = json::parse(body, nullptr, false);
  ApiError e;
  if (auto found = errorIn(value))
    e = *found;
  else if (const json &detail = valueAt(value, "detail"); !detail.is_null())
    e.message =
        detail.is_string() ? detail.get<std::string>() : dump(detail, -1);
  else
    e.message = body;
  // A quota used up stays so, whatever the status says.
  e.transient = isTransientStatus(status) && e.kind != "insufficient_quota";
  return e;
}

const char *remedy(long status) {
  switch (status) {
  case 401:
  case 403:
    return "; check the key and what it may do";
  case 404:
    return "; check the model's name and the base URL";
  case 301:
  case 302:
  case 307:
  case 308:
    return "; redirections are not followed, give the final base URL";
  default:
    return "";
  }
}

class HttpProvider : public Provider {
public:
  HttpProvider(const Dialect &dialect, std::string model, std::string url,
               std::string key, double seconds, RetryPolicy policy)
      : dialect(dialect), model(std::move(model)), url(std::move(url)),
        key(std::move(key)), seconds(seconds), policy(policy),
        random(std::random_device{}()) {}

  llvm::Expected<Reply> ask(const Request &request,
                            const std::atomic<bool> &stop) override;
  std::string name() const override {
    return std::string(dialect.kind) + " " + model;
  }
  std::string describe(const Request &request) const override;

private:
  struct Attempt {
    std::optional<Reply> reply;
    std::string message; // of the error
    bool transient = false;
    long retryAfter = -1;
  };

  nlohmann::json body(const Request &request) const {
    return dialect.body(request, model, url.rfind(dialect.officialUrl, 0) == 0);
  }
  Attempt attempt(const std::string &body, double left,
                  const std::atomic<bool> &stop) const;
  Attempt failed(llvm::Error error, const std::string &prefix = "") const;
  Attempt failed(long status, long retryAfter, const std::string &body) const;
  double delayBefore(unsigned retry, const Attempt &last);
  std::string redact(std::string text) const;
  std::string printable(const std::string &text) const;

  const Dialect &dialect;
  const std::string model, url, key;
  const double seconds;
  const RetryPolicy policy;
  std::mutex mutex; // regions in parallel share the provider
  std::minstd_rand random;
};

std::string HttpProvider::redact(std::string text) const {
  if (key.empty())
    return text;
  for (size_t at = 0; (at = text.find(key, at)) != std::string::npos;)
    text.replace(at, key.size(), "[key]");
  return text;
}

/// What a server says goes to a terminal: one line, no escape sequences. The
/// key goes first: its half at the cut would not be found.
std::string HttpProvider::printable(const std::string &text) const {
  std::string out = redact(text);
  if (out.size() > LongestMessage)
    out = out.substr(0, LongestMessage) + "...";
  for (char &c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' ';
  return llvm::json::fixUTF8(llvm::StringRef(out).trim());
}

HttpProvider::Attempt HttpProvider::failed(llvm::Error error,
                                           const std::string &prefix) const {
  Attempt a;
  llvm::handleAllErrors(
      std::move(error),
      [&](const ProviderError &e) {
        a.message = printable(prefix + e.message);
        a.transient = e.transient;
      },
      [&](const llvm::ErrorInfoBase &e) {
        a.message = printable(prefix + e.message());
      });
  return a;
}

HttpProvider::Attempt HttpProvider::failed(long status, long retryAfter,
                                           const std::string &body) const {
  ApiError e = describeError(status, body);
  Attempt a;
  a.transient = e.transient;
  a.retryAfter = retryAfter;
  a.message = printable(url + ": HTTP " + std::to_string(status) + ": " +
                        (e.kind.empty() ? "" : e.kind + ": ") + e.message) +
              remedy(status);
  return a;
}

HttpProvider::Attempt
HttpProvider::attempt(const std::string &body, double left,
                      const std::atomic<bool> &stop) const {
  HttpRequest request{url, dialect.headers, body, left};
  request.headers.insert(request.headers.end(),
                         {"Content-Type: application/json",
                          "Accept: text/event-stream, application/json",
                          "User-Agent: autokernel", "Expect:"});
  if (!key.empty())
    request.headers.push_back(dialect.keyHeader + key);
  std::unique_ptr<ReplyReader> reader = dialect.reader();
  BodyReader bytes(*reader);
  auto response = post(
      request,
      [&](long status, llvm::StringRef b) { return bytes.feed(status, b); },
      stop);
  if (!response && !reader->isComplete())
    return failed(response.takeError());
  if (!response)
    llvm::consumeError(response.takeError()); // a bad end after a whole reply
  else if (response->status < 200 || response->status >= 300)
    return failed(response->status, response->retryAfter, bytes.errorBody());
  if (llvm::Error e = bytes.finish())
    return failed(std::move(e), url + ": ");
  Attempt a;
  a.reply = std::move(reader->reply());
  a.reply->text = redact(std::move(a.reply->text));
  a.reply->model = printable(a.reply->model);
  a.reply->stop = printable(a.reply->stop);
  if (a.reply->model.empty())
    a.reply->model = model;
  return a;
}

double HttpProvider::delayBefore(unsigned retry, const Attempt &last) {
  std::lock_guard<std::mutex> lock(mutex);
  double own = policy.delay(retry, random);
  return std::max(own, double(last.retryAfter));
}

llvm::Expected<Reply> HttpProvider::ask(const Request &request,
                                        const std::atomic<bool> &stop) {
  const Clock::time_point start = Clock::now();
  const std::string text = dump(body(request), -1);
  for (unsigned retry = 0;; ++retry) {
    Attempt a = attempt(text, seconds - secondsSince(start), stop);
    if (a.reply) {
      a.reply->retries = retry;
      a.reply->seconds = secondsSince(start);
      return std::move(*a.reply);
    }
    if (stop || !a.transient)
      return problem(a.message);
    if (retry == policy.retries)
      return problem(
          a.message + " (after " + std::to_string(retry) + " retries)", true);
    double wait = delayBefore(retry, a);
    if (wait > policy.longestRetryAfter ||
        secondsSince(start) + wait >= seconds)
      return problem(a.message + " (the next try would be in " +
                         std::to_string(long(wait + 0.5)) +
                         " s, later than allowed)",
                     true);
    if (!sleepUnless(stop, std::chrono::duration<double>(wait)))
      return problem(url + ": stopped");
  }
}

std::string HttpProvider::describe(const Request &request) const {
  std::string out = "POST " + url + "\n";
  for (const std::string &header : dialect.headers)
    out += header + "\n";
  if (!key.empty())
    out += std::string(dialect.keyHeader) + "[key]\n";
  return out + "\n" + redact(dump(body(request), 2)) + "\n";
}

const Dialect *findDialect(const std::string &kind) {
  for (const Dialect *d : {&chatCompletions(), &responses(), &messages()})
    if (kind == d->kind)
      return d;
  return nullptr;
}

std::string environment(const std::string &name) {
  const char *value = std::getenv(name.c_str());
  return value ? llvm::StringRef(value).trim().str() : "";
}

llvm::Error checkUrl(llvm::StringRef url) {
  llvm::StringRef rest = url;
  if (!rest.consume_front("https://") && !rest.consume_front("http://"))
    return problem("the base URL must begin with https:// or http://");
  if (rest.take_until([](char c) { return c == '/'; }).contains('@') ||
      rest.contains('?') || rest.contains('#'))
    return problem("the base URL must be without user, password and query; a "
                   "key belongs in an environment variable");
  if (llvm::any_of(url, [](char c) { return !llvm::isPrint(c) || c == ' '; }))
    return problem("the base URL has a character that isn't allowed");
  return llvm::Error::success();
}

llvm::Expected<std::string> findUrl(const ProviderOptions &options,
                                    const Dialect &dialect) {
  std::string url = options.baseUrl.empty() ? environment(dialect.urlVariable)
                                            : options.baseUrl;
  if (url.empty())
    url = dialect.officialUrl;
  if (llvm::Error e = checkUrl(url))
    return e;
  return llvm::StringRef(url).rtrim('/').str();
}

/// A key that was asked for by name must be there, and one for the official
/// server; other servers may do without.
llvm::Expected<std::string> findKey(const ProviderOptions &options,
                                    const Dialect &dialect,
                                    llvm::StringRef url) {
  std::string variable = options.keyVariable;
  if (variable.empty())
    variable = url.starts_with("https://router.huggingface.co")
                   ? "HF_TOKEN"
                   : dialect.keyVariable;
  std::string key = environment(variable);
  bool isNeeded =
      !options.keyVariable.empty() || url.starts_with(dialect.officialUrl);
  if (key.empty() && isNeeded)
    return problem("there is no key for " + url.str() +
                   "; put it into the environment variable " + variable);
  if (llvm::any_of(key, [](char c) { return !llvm::isPrint(c); }))
    return problem("the key in " + variable +
                   " has a character that no key has; copy it again");
  return key;
}

} // namespace

llvm::Expected<std::unique_ptr<Provider>>
makeHttpProvider(const ProviderOptions &options, const RetryPolicy &policy) {
  const Dialect *dialect = findDialect(options.kind);
  if (!dialect)
    return problem("there is no provider " + options.kind +
                   "; use openai, openai-responses or anthropic");
  if (options.model.empty())
    return problem("--generator=" + options.kind + " needs --model=NAME");
  auto url = findUrl(options, *dialect);
  if (!url)
    return url.takeError();
  auto key = findKey(options, *dialect, *url);
  if (!key)
    return key.takeError();
  return std::make_unique<HttpProvider>(*dialect, options.model,
                                        *url + dialect->path, *key,
                                        options.timeoutSeconds, policy);
}

} // namespace autokernel::agent
