#include "agent/Programs.h"

#include "agent/Transcript.h"
#include "support/Files.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace autokernel::agent {

namespace {

constexpr size_t LargestReply = 8 << 20;
using Clock = std::chrono::steady_clock;

llvm::Error problem(const std::string &message) {
  return llvm::make_error<ProviderError>(message, false);
}

/// A shell in a process group of its own, with pipes to and from it.
class Shell {
public:
  ~Shell() {
    closeEnd(in);
    closeEnd(out);
    if (pid > 0) {
      kill(-pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
  }

  bool start(const std::string &command) {
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC))
      return false;
    if (pipe2(from, O_CLOEXEC)) {
      close(to[0]);
      close(to[1]);
      return false;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], 0);
    posix_spawn_file_actions_adddup2(&actions, from[1], 1);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const char *arguments[] = {"sh", "-c", command.c_str(), nullptr};
    int error = posix_spawn(&pid, "/bin/sh", &actions, &attributes,
                            const_cast<char **>(arguments), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(to[0]);
    close(from[1]);
    in = to[1];
    out = from[0];
    fcntl(in, F_SETFL, O_NONBLOCK);
    fcntl(out, F_SETFL, O_NONBLOCK);
    if (error)
      pid = 0;
    errno = error;
    return error == 0;
  }

  /// Moves what there is to move; false when the output has ended.
  bool exchange(llvm::StringRef &input, std::string &output) {
    pollfd ends[2] = {{out, POLLIN, 0}, {in, POLLOUT, 0}};
    poll(ends, in >= 0 ? 2 : 1, 100);
    if (in >= 0 && ends[1].revents) {
      ssize_t n =
          write(in, input.data(), std::min<size_t>(input.size(), 65536));
      if (n > 0)
        input = input.drop_front(n);
      if (input.empty() || (n < 0 && errno != EAGAIN))
        closeEnd(in); // a program need not read its task
    }
    if (!ends[0].revents)
      return true;
    char buffer[65536];
    ssize_t n = read(out, buffer, sizeof buffer);
    if (n > 0)
      output.append(buffer, n);
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
  }

  /// The exit code; -1 after a signal.
  int wait() {
    int status = 0;
    waitpid(pid, &status, 0);
    pid = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

private:
  static void closeEnd(int &end) {
    if (end >= 0)
      close(end);
    end = -1;
  }
  pid_t pid = 0;
  int in = -1, out = -1;
};

class CommandProvider : public Provider {
public:
  CommandProvider(std::string command, unsigned seconds)
      : command(std::move(command)), limit(seconds) {}

  llvm::Expected<Reply> ask(const Request &request,
                            const std::atomic<bool> &stop) override {
    auto begin = Clock::now();
    auto passed = [&] {
      return std::chrono::duration<double>(Clock::now() - begin).count();
    };
    std::string prompt = plainText(request), output;
    llvm::StringRef input = prompt;
    Shell shell;
    if (!shell.start(command))
      return problem(command + ": can't be started: " + strerror(errno));
    while (shell.exchange(input, output)) {
      if (stop)
        return problem("stopped");
      if (output.size() > LargestReply)
        return problem(command + ": wrote more than 8 MB");
      if (passed() > limit)
        return problem(command + ": took longer than " + std::to_string(limit) +
                       " s");
    }
    if (int code = shell.wait())
      return problem(command + ": ended with exit code " +
                     std::to_string(code));
    Reply reply;
    reply.text = std::move(output);
    reply.stop = "end";
    reply.seconds = passed();
    return reply;
  }

  /// Without paths and further arguments, which are this machine's.
  std::string name() const override {
    llvm::SmallVector<llvm::StringRef, 8> words;
    llvm::StringRef(command).split(words, ' ', -1, false);
    std::string out = "command";
    for (size_t i = 0; i < words.size() && i < 2; ++i)
      if (i == 0 || llvm::sys::fs::exists(words[i]))
        out += " " + llvm::sys::path::filename(words[i]).str();
    return out;
  }
  std::string describe(const Request &request) const override {
    return plainText(request);
  }

private:
  std::string command;
  unsigned limit;
};

class ReplayProvider : public Provider {
public:
  ReplayProvider(std::string file, std::vector<Recorded> replies)
      : file(std::move(file)), replies(std::move(replies)) {}

  llvm::Expected<Reply> ask(const Request &,
                            const std::atomic<bool> &) override {
    if (next == replies.size())
      return problem(file + ": the recording has no more replies");
    return replies[next++].reply;
  }

  std::string name() const override {
    return "replay " + llvm::sys::path::filename(file).str();
  }
  std::string describe(const Request &request) const override {
    return plainText(request);
  }

private:
  std::string file;
  std::vector<Recorded> replies;
  size_t next = 0;
};

} // namespace

std::string plainText(const Request &request) {
  std::string out = request.system;
  for (const Message &m : request.messages)
    out += (m.role == Message::User ? "\n\n---- task\n\n"
                                    : "\n\n---- your last reply\n\n") +
           m.text;
  return out;
}

std::unique_ptr<Provider> makeCommandProvider(const std::string &command,
                                              unsigned seconds) {
  std::signal(SIGPIPE, SIG_IGN); // the program may not read its input
  return std::make_unique<CommandProvider>(command, seconds);
}

llvm::Expected<std::unique_ptr<Provider>>
makeReplayProvider(const std::string &file) {
  if (!llvm::sys::fs::exists(file))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "%s: there is no such file", file.c_str());
  auto replies = Transcript(file).replies();
  if (!replies)
    return replies.takeError();
  if (replies->empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "%s: there are no replies in it; a "
                                   "transcript is needed",
                                   file.c_str());
  return std::make_unique<ReplayProvider>(file, std::move(*replies));
}

} // namespace autokernel::agent
