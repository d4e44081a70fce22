// A CUDA device for the runner of a bundle. Surface: CudaDevice,
// timeLaunches().
#pragma once

#include "verify/runner/Execution.h"

#include <map>

namespace autokernel {

class CudaDevice : public RunDevice {
public:
  ~CudaDevice() override;
  llvm::Expected<void *> allocate(size_t bytes, const std::string &name,
                                  size_t misalign) override;
  void release(void *p) override;
  void copyIn(void *device, const void *host, size_t bytes) override;
  void copyOut(void *host, const void *device, size_t bytes) override;
  void poison(void *device, int byte, size_t bytes) override;
  std::string finish() override;
  bool guardsIntact() override;
  std::string reports() override { return "[]"; }

  /// "NVIDIA H200", or an error where no device can be used.
  static llvm::Expected<std::string> name();

private:
  struct Block {
    void *begin;
    size_t guard, bytes;
  };
  std::map<void *, Block> blocks;
};

} // namespace autokernel
