#include "verify/gpu/Cuda.h"

#include <cuda_runtime_api.h>

#include <vector>

namespace autokernel {

static constexpr size_t Guard = 4096;
static constexpr int Canary = 0xC9;

static llvm::Error failed(const char *what, cudaError_t error) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s: %s", what,
                                 cudaGetErrorString(error));
}

llvm::Expected<std::string> CudaDevice::name() {
  cudaDeviceProp properties;
  int device = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaGetDeviceProperties(&properties, device);
  if (error != cudaSuccess)
    return failed("no CUDA device can be used", error);
  return std::string(properties.name);
}

CudaDevice::~CudaDevice() {
  for (auto &[p, block] : blocks)
    cudaFree(block.begin);
}

llvm::Expected<void *> CudaDevice::allocate(size_t bytes, const std::string &,
                                            size_t misalign) {
  void *begin = nullptr;
  size_t front = Guard + misalign, all = front + bytes + Guard;
  if (cudaError_t error = cudaMalloc(&begin, all))
    return failed("device memory can't be allocated", error);
  cudaMemset(begin, Canary, all);
  void *p = static_cast<char *>(begin) + front;
  blocks[p] = {begin, front, bytes};
  return p;
}

void CudaDevice::release(void *p) {
  auto it = blocks.find(p);
  if (it == blocks.end())
    return;
  cudaFree(it->second.begin);
  blocks.erase(it);
}

void CudaDevice::copyIn(void *device, const void *host, size_t bytes) {
  cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
}

void CudaDevice::copyOut(void *host, const void *device, size_t bytes) {
  cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
}

void CudaDevice::poison(void *device, int byte, size_t bytes) {
  cudaMemset(device, byte, bytes);
}

std::string CudaDevice::finish() {
  cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess)
    return "";
  return std::string("CUDA error: ") + cudaGetErrorString(error);
}

bool CudaDevice::guardsIntact() {
  std::vector<unsigned char> bytes;
  for (auto &[p, block] : blocks) {
    size_t all = block.guard + block.bytes + Guard;
    bytes.resize(all);
    cudaMemcpy(bytes.data(), block.begin, all, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < all; ++i)
      if ((i < block.guard || i >= block.guard + block.bytes) &&
          bytes[i] != Canary)
        return false;
  }
  return true;
}

} // namespace autokernel
