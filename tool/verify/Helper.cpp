#include "verify/Helper.h"

#include "support/Files.h"
#include "verify/Verify.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>

namespace autokernel {

static int addressHere;

llvm::Expected<std::string> findHelper(const std::string &name) {
  std::vector<std::string> folders;
  if (const char *folder = std::getenv("AUTOKERNEL_LIBEXEC"))
    folders.push_back(folder);
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, &addressHere);
  llvm::StringRef here = llvm::sys::path::parent_path(self);
  folders.push_back(here.str());
  folders.push_back(
      (llvm::sys::path::parent_path(here) + "/libexec/autokernel").str());
  for (const std::string &folder : folders) {
    std::string path = folder + "/" + name;
    if (llvm::sys::fs::exists(path))
      return path;
  }
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      "%s: not found beside the tool; install autokernel whole, or name its "
      "folder in AUTOKERNEL_LIBEXEC",
      name.c_str());
}

std::string signalText(int number) {
  switch (number) {
  case SIGSYS:
    return "tried a forbidden system call";
  case SIGXCPU:
    return "ran out of time";
  case SIGXFSZ:
    return "wrote more than the result may hold";
  default:
    return std::string("crashed: ") + strsignal(number);
  }
}

llvm::Expected<std::unique_ptr<Helper>>
Helper::start(const std::string &name, const std::string &folder) {
  auto program = findHelper(name);
  if (!program)
    return program.takeError();
  std::unique_ptr<Helper> h(new Helper);
  h->log = folder + "/" + name + ".log";
  h->begin = std::chrono::steady_clock::now();
  std::string error;
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), h->log,
                                                h->log};
  h->pid = llvm::sys::ExecuteNoWait(*program, {*program, folder}, std::nullopt,
                                    redirects, 0, &error)
               .Pid;
  if (h->pid > 0)
    return h;
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "%s: can't be started: %s", name.c_str(),
                                 error.c_str());
}

Helper::~Helper() {
  if (pid <= 0)
    return;
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
}

// Looks now and then: an alarm would be the whole process's.
HelperEnd Helper::wait(double seconds) {
  auto end = begin + std::chrono::duration<double>(seconds);
  int status = 0;
  bool killed = false;
  for (pid_t got = 0; got != pid;) {
    got = waitpid(pid, &status, killed ? 0 : WNOHANG);
    if (got < 0 && errno != EINTR)
      return {-1, false, std::string("is lost: ") + strerror(errno)};
    if (got != 0)
      continue;
    killed = std::chrono::steady_clock::now() >= end;
    if (killed)
      kill(pid, SIGKILL);
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  pid = 0;
  // A child that ended by itself at the last moment keeps its own result.
  if (killed && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
    return {-1, true, "ran out of time"};
  return ended(status);
}

HelperEnd Helper::ended(int status) {
  if (WIFSIGNALED(status)) {
    int number = WTERMSIG(status);
    return {-1, number == SIGXCPU, signalText(number)};
  }
  int code = WEXITSTATUS(status);
  if (code == 0)
    return {};
  auto text = readFile(log);
  std::string said = text ? *text : llvm::toString(text.takeError());
  return {code, false, llvm::StringRef(said).trim().str()};
}

} // namespace autokernel
