#include "verify/Sandbox.h"

#include "verify/SystemCalls.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace autokernel {

// --- limits -----------------------------------------------------------------

static bool limit(__rlimit_resource_t what, rlim_t most, rlim_t later = 0) {
  rlimit now{};
  if (getrlimit(what, &now))
    return false;
  rlimit wanted{std::min(most, now.rlim_max),
                std::min(most + later, now.rlim_max)};
  return setrlimit(what, &wanted) == 0;
}

// A parent may have left these ignored, and a handler of ours that removes
// files would end in the filter.
static void endBySignals() {
  for (int number : {SIGABRT, SIGXCPU, SIGXFSZ})
    std::signal(number, SIG_DFL);
}

// No RLIMIT_AS: the emulator reserves far more than it touches.
static bool enterLimits(const SandboxLimits &limits) {
  bool ok = limit(RLIMIT_CORE, 0);
  ok &= limit(RLIMIT_FSIZE, limits.fileBytes);
  // At the hard limit the signal would be SIGKILL, which gives no reason.
  ok &= limit(RLIMIT_CPU, rlim_t(std::ceil(limits.cpuSeconds)) + 1, 1);
  ok &= limit(RLIMIT_NPROC, 0);
  return ok;
}

// --- Landlock ---------------------------------------------------------------

// Headers may be older than the kernel, so the newest layout is written out.
namespace {
struct LandlockRules {
  uint64_t files = 0, network = 0, scopes = 0;
};
} // namespace

static size_t sizeOfRules(long abi) {
  return abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
}

// Bits that came with version 2, 3 and 5 of the interface; unknown ones fail.
static uint64_t allFileRights(long abi) {
  unsigned bits = abi >= 5 ? 16 : abi >= 3 ? 15 : abi >= 2 ? 14 : 13;
  return (uint64_t(1) << bits) - 1;
}

static bool enterLandlock() {
  long abi = syscall(SYS_landlock_create_ruleset, nullptr, 0,
                     LANDLOCK_CREATE_RULESET_VERSION);
  if (abi < 1)
    return false;
  LandlockRules rules;
  rules.files = allFileRights(abi);
  rules.network = abi >= 4 ? 3 : 0; // bind and connect
  rules.scopes = abi >= 6 ? 3 : 0;  // abstract sockets and signals
  long fd = syscall(SYS_landlock_create_ruleset, &rules, sizeOfRules(abi), 0);
  if (fd < 0)
    return false;
  // No rule is added: nothing beyond the open files is allowed.
  bool ok = syscall(SYS_landlock_restrict_self, fd, 0) == 0;
  close(int(fd));
  return ok;
}

// --- all --------------------------------------------------------------------

SandboxLayers enterSandbox(const SandboxLimits &limits) {
  SandboxLayers layers;
  endBySignals();
  layers.limits = enterLimits(limits);
  layers.noNewPrivileges = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
  layers.landlock = layers.noNewPrivileges && enterLandlock();
  // Last: it forbids what the others need.
  layers.seccomp = layers.noNewPrivileges && filterSystemCalls();
  return layers;
}

std::string layersText(const SandboxLayers &layers) {
  std::string text;
  for (auto [active, name] : {std::pair{layers.limits, "limits"},
                              {layers.noNewPrivileges, "no-new-privileges"},
                              {layers.landlock, "landlock"},
                              {layers.seccomp, "seccomp"}})
    if (active)
      text += (text.empty() ? "" : ", ") + std::string(name);
  return text.empty() ? "none" : text;
}

llvm::Error requireConfinement(const SandboxLayers &layers) {
  const char *allowed = std::getenv("AUTOKERNEL_UNSANDBOXED");
  if (layers.confines() || (allowed && std::string(allowed) == "1"))
    return llvm::Error::success();
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      "this machine offers neither Landlock nor seccomp, so a candidate would "
      "run with all your rights; set AUTOKERNEL_UNSANDBOXED=1 to run it all "
      "the same");
}

// --- probing ----------------------------------------------------------------

static int packed(const SandboxLayers &l) {
  return l.limits | l.noNewPrivileges << 1 | l.landlock << 2 | l.seccomp << 3;
}

SandboxLayers probeSandbox() {
  pid_t child = fork();
  if (child == 0)
    _exit(packed(enterSandbox({})));
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  SandboxLayers layers;
  if (child < 0 || !WIFEXITED(status))
    return layers;
  int bits = WEXITSTATUS(status);
  layers.limits = bits & 1;
  layers.noNewPrivileges = bits & 2;
  layers.landlock = bits & 4;
  layers.seccomp = bits & 8;
  return layers;
}

} // namespace autokernel
