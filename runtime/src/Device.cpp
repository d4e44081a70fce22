// The only file of the runtime that sees CUDA.
#include "Device.h"

#include <cuda_runtime_api.h>

#include <map>
#include <mutex>
#include <string>

namespace autokernel::runtime {
namespace {

cudaMemcpyKind kindFor(Copy way) {
  switch (way) {
  case Copy::In:
    return cudaMemcpyHostToDevice;
  case Copy::Out:
    return cudaMemcpyDeviceToHost;
  case Copy::OnDevice:
    break;
  }
  return cudaMemcpyDefault;
}

struct CudaDevice final : Device {
  Status count(int &n) override { return cudaGetDeviceCount(&n); }
  Status current(int &ordinal) override { return cudaGetDevice(&ordinal); }

  const char *name(int ordinal) override {
    static std::mutex lock;
    static auto *names = new std::map<int, std::string>;
    std::lock_guard<std::mutex> hold(lock);
    std::string &name = (*names)[ordinal];
    cudaDeviceProp properties;
    if (name.empty() &&
        cudaGetDeviceProperties(&properties, ordinal) == cudaSuccess)
      name = properties.name;
    return name.c_str();
  }

  Status totalMemory(size_t &bytes) override {
    size_t free = 0;
    return cudaMemGetInfo(&free, &bytes);
  }
  Status allocate(void **p, size_t bytes) override {
    return cudaMalloc(p, bytes);
  }
  Status release(void *p) override { return cudaFree(p); }

  Status kindOf(const void *p, MemoryKind &kind, int &ordinal) override {
    cudaPointerAttributes a = {};
    if (cudaError_t e = cudaPointerGetAttributes(&a, p))
      return e;
    ordinal = a.device;
    kind = a.type == cudaMemoryTypeDevice    ? MemoryKind::Device
           : a.type == cudaMemoryTypeManaged ? MemoryKind::Managed
                                             : MemoryKind::Host;
    return cudaSuccess;
  }

  Status copy(void *to, const void *from, size_t bytes, Copy way,
              void *stream) override {
    return cudaMemcpyAsync(to, from, bytes, kindFor(way),
                           static_cast<cudaStream_t>(stream));
  }
  Status synchronise(void *stream) override {
    return cudaStreamSynchronize(static_cast<cudaStream_t>(stream));
  }
  Status takeError() override { return cudaGetLastError(); }
  const char *describe(Status status) override {
    return cudaGetErrorString(static_cast<cudaError_t>(status));
  }
  // Waits for work on the legacy stream, as the program's own kernels may have
  // produced the data, yet threads don't wait for each other.
  void *stream() override { return cudaStreamPerThread; }
};

} // namespace

Device &cudaDevice() {
  static auto *d = new CudaDevice;
  return *d;
}

} // namespace autokernel::runtime
