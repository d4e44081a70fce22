// Runs a candidate on one case: device memory, launch, results.
//
// The device is an interface: the emulator's machine here, CUDA in a bundle.
// Surface: RunDevice, CandidateEntries, execute().
#pragma once

#include "verify/Exchange.h"
#include "verify/Job.h"

namespace autokernel {

class RunDevice {
public:
  virtual ~RunDevice() = default;
  virtual llvm::Expected<void *> allocate(size_t bytes, const std::string &name,
                                          size_t misalign) = 0;
  virtual void release(void *p) = 0;
  virtual void copyIn(void *device, const void *host, size_t bytes) = 0;
  virtual void copyOut(void *host, const void *device, size_t bytes) = 0;
  /// Memory that counts as not initialised.
  virtual void poison(void *device, int byte, size_t bytes) = 0;
  /// Waits for the launch; empty, or what went wrong.
  virtual std::string finish() = 0;
  virtual bool guardsIntact() = 0;
  /// What the device found, as a JSON list.
  virtual std::string reports() = 0;
};

struct CandidateEntries {
  using Call = int (*)(void **, void *, size_t, void *);
  using Workspace = size_t (*)(void **);
  Call call = nullptr;
  Workspace workspace = nullptr;
};

/// Fills `record` with outputs, reports and failures.
void execute(RunDevice &device, CandidateEntries entries,
             const Contract &contract, const Case &c, const InputSet &inputs,
             RunnerRecord &record);

} // namespace autokernel
