//===- Launch.h - checks a launch and runs its blocks -----------*- C++ -*-===//
//
// One function: refuses what a GPU refuses (and says why), else runs the kernel
// to its end or to its first fatal error. Returns a cudaError_t.
//
//===----------------------------------------------------------------------===//
#ifndef AUTOKERNEL_EMULATOR_MACHINE_LAUNCH_H
#define AUTOKERNEL_EMULATOR_MACHINE_LAUNCH_H

#include "emulator/machine/Session.h"

namespace autokernel::emulator {

struct LaunchRequest {
  Kernel *What = nullptr;
  Dim Grid, Block;
  uint64_t Shared = 0;
  void **Arguments = nullptr;
  bool Cooperative = false;
};

int launch(const LaunchRequest &L);

} // namespace autokernel::emulator

#endif
