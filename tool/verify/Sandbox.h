// What keeps a candidate's process from the rest of the machine.
//
// A process gives up its rights in layers, each as far as the kernel offers it,
// before it runs a line of a candidate: it keeps its memory, its processor time
// and the files that are already open. Surface: enterSandbox(),
// requireConfinement(), probeSandbox().
#pragma once

#include "llvm/Support/Error.h"

#include <string>

namespace autokernel {

struct SandboxLimits {
  double cpuSeconds = 120;
  uint64_t fileBytes = uint64_t(2) << 30;
};

struct SandboxLayers {
  bool limits = false, noNewPrivileges = false, landlock = false,
       seccomp = false;
  /// Limits alone keep nobody from reading files.
  bool confines() const { return landlock || seccomp; }
};

/// "limits, no-new-privileges, landlock, seccomp", or "none".
std::string layersText(const SandboxLayers &layers);

/// Can't be undone. A layer that this machine lacks is left out.
SandboxLayers enterSandbox(const SandboxLimits &limits);

/// An error unless the layers confine or AUTOKERNEL_UNSANDBOXED=1 is set.
llvm::Error requireConfinement(const SandboxLayers &layers);

/// What enterSandbox() reaches here, found out in a child process.
SandboxLayers probeSandbox();

/// The runner's exit code where requireConfinement() fails.
inline constexpr int UnsandboxedExit = 78;

} // namespace autokernel
