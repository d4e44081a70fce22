// The part of the runtime API that launchers use. Everything else a candidate
// may not call (the rule checker), so it isn't declared.
#ifndef AUTOKERNEL_HOST_H
#define AUTOKERNEL_HOST_H
#include "vector_types.h"

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidDevicePointer = 17,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorNotSupported = 801,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchTimeout = 702,
  cudaErrorMisalignedAddress = 716,
  cudaErrorLaunchFailure = 719,
  cudaErrorCooperativeLaunchTooLarge = 720,
  cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
#define cudaStreamDefault 0
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxL1 = 0,
  cudaSharedmemCarveoutMaxShared = 100
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrTotalConstantMemory = 9,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
  int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

extern "C" {
int __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t = 0,
                             cudaStream_t = 0);
cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **,
                                        size_t = 0, cudaStream_t = 0);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, enum cudaMemcpyKind,
                            cudaStream_t = 0);
cudaError_t cudaMemcpy(void *, const void *, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemset2DAsync(void *, size_t, int, size_t, size_t,
                              cudaStream_t = 0);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaDeviceGetAttribute(int *, enum cudaDeviceAttr, int);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t __ak_func_set_attribute(const void *, int, int);
cudaError_t __ak_func_get_attributes(cudaFuncAttributes *, const void *);
cudaError_t __ak_occupancy(int *blocks, const void *, int threads, size_t);
cudaError_t __ak_copy_to_symbol(const void *symbol, const void *, size_t,
                                size_t offset, int kind);
}
template <class F>
__AK_HOST cudaError_t cudaLaunchCooperativeKernel(F *f, dim3 g, dim3 b,
                                                  void **a, size_t s = 0,
                                                  cudaStream_t q = 0) {
  return cudaLaunchCooperativeKernel((const void *)f, g, b, a, s, q);
}
template <class F>
__AK_HOST cudaError_t cudaLaunchKernel(F *f, dim3 g, dim3 b, void **a,
                                       size_t s = 0, cudaStream_t q = 0) {
  return cudaLaunchKernel((const void *)f, g, b, a, s, q);
}
template <class F>
__AK_HOST cudaError_t cudaFuncSetAttribute(F *f, cudaFuncAttribute a, int v) {
  return __ak_func_set_attribute((const void *)f, a, v);
}
template <class F>
__AK_HOST cudaError_t cudaFuncSetCacheConfig(F *, cudaFuncCache) {
  return cudaSuccess;
}
template <class F>
__AK_HOST cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, F *f) {
  return __ak_func_get_attributes(a, (const void *)f);
}
template <class F>
__AK_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, F *f, int threads, size_t shared) {
  return __ak_occupancy(blocks, (const void *)f, threads, shared);
}
template <class F>
__AK_HOST cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block,
                                                         F *, size_t = 0,
                                                         int limit = 0) {
  *block = limit > 0 && limit < 256 ? limit : 256;
  *grid = 132 * 8;
  return cudaSuccess;
}
template <class T>
__AK_HOST cudaError_t cudaMemcpyToSymbolAsync(
    const T &symbol, const void *from, size_t n, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t = 0) {
  return __ak_copy_to_symbol((const void *)&symbol, from, n, offset, kind);
}
template <class T>
__AK_HOST cudaError_t cudaMemcpyToSymbol(
    const T &symbol, const void *from, size_t n, size_t offset = 0,
    cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return __ak_copy_to_symbol((const void *)&symbol, from, n, offset, kind);
}
#endif
