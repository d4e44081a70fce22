//===- Symbols.cpp - what a candidate may link to -------------------------===//
//
// An allow-list: the machine's entry points, the CUDA API we imitate, libm and
// what code generators call. Nothing else of this process can be reached.
//
//===----------------------------------------------------------------------===//

#include "emulator/machine/Session.h"
#include <cmath>
#include <cstring>

// Declared by address only: their types are checked where they are defined.
#define AK_MACHINE(F)                                                                     \
  F(__ak_barrier)                                                                         \
  F(__ak_warp)                                                                            \
  F(__ak_grid_sync)                                                                       \
  F(__ak_atomic) F(__ak_fence) F(__ak_yield) F(__ak_stop) F(__ak_clock) F(                \
      __ak_lane) F(__ak_block_shared_bytes) F(__ak_half_from_double)                      \
      F(__ak_half_to_float) F(__ak_read_slow) F(__ak_write_slow) F(                       \
          __ak_volatile_read) F(__ak_volatile_write) F(__ak_budget)                       \
          F(__ak_register_sites) F(__ak_register_shared) F(__ak_register_kernel) F(       \
              __ak_register_variable) F(__ak_func_set_attribute)                          \
              F(__ak_func_get_attributes) F(__ak_occupancy) F(__ak_copy_to_symbol) F(     \
                  __cudaRegisterFatBinary) F(__cudaRegisterFatBinaryEnd)                  \
                  F(__cudaUnregisterFatBinary) F(__cudaRegisterFunction) F(               \
                      __cudaRegisterVar) F(__cudaPushCallConfiguration)                   \
                      F(__cudaPopCallConfiguration) F(cudaLaunchKernel) F(                \
                          cudaLaunchCooperativeKernel) F(cudaPeekAtLastError)             \
                          F(cudaGetLastError) F(cudaGetErrorName) F(                      \
                              cudaGetErrorString) F(cudaDeviceSynchronize)                \
                              F(cudaStreamSynchronize) F(cudaMemset) F(                   \
                                  cudaMemsetAsync) F(cudaMemset2DAsync)                   \
                                  F(cudaMemcpy) F(cudaMemcpyAsync) F(                     \
                                      cudaGetDevice) F(cudaDeviceGetAttribute)            \
                                      F(__ubsan_handle_out_of_bounds_abort) F(            \
                                          __ubsan_handle_shift_out_of_bounds)             \
                                          F(__ubsan_handle_add_overflow) F(               \
                                              __ubsan_handle_sub_overflow)                \
                                              F(__ubsan_handle_mul_overflow) F(           \
                                                  __ubsan_handle_negate_overflow)         \
                                                  F(__ubsan_handle_divrem_overflow_abort) \
                                                      F(__ubsan_handle_divrem_overflow)

#define AK_DECLARE(f) extern "C" void f();
AK_MACHINE(AK_DECLARE)
extern "C" {
int __ak_printf(const char *, ...);
extern autokernel::emulator::Dim __ak_thread_idx, __ak_block_idx,
    __ak_block_dim, __ak_grid_dim;
extern void *__ak_shared_arena, *__ak_dynamic_shared;
extern const autokernel::emulator::Site *__ak_host_site;
}

namespace autokernel::emulator {

template <class R, class... As> static void *address(R (*F)(As...)) {
  return reinterpret_cast<void *>(F);
}

#define AK_LIBM1(F)                                                            \
  F(acos)                                                                      \
  F(asin)                                                                      \
  F(atan)                                                                      \
  F(cos) F(sin) F(tan) F(acosh) F(asinh) F(atanh) F(cosh) F(sinh) F(tanh)      \
      F(exp) F(exp2) F(expm1) F(log) F(log2) F(log10) F(log1p) F(logb) F(cbrt) \
          F(sqrt) F(fabs) F(ceil) F(floor) F(trunc) F(round) F(rint)           \
              F(nearbyint) F(erf) F(erfc) F(tgamma) F(lgamma) F(exp10)         \
                  F(roundeven)
#define AK_LIBM2(F)                                                            \
  F(pow)                                                                       \
  F(atan2)                                                                     \
  F(hypot) F(fmod) F(remainder) F(copysign) F(fdim) F(nextafter) F(fmax) F(fmin)

static int noAtExit(void (*)()) { return 0; }

static void addMath(std::vector<NamedAddress> &All) {
#define AK_ONE(n)                                                              \
  All.push_back({#n, address<double, double>(::n)});                           \
  All.push_back({#n "f", address<float, float>(::n##f)});
#define AK_TWO(n)                                                              \
  All.push_back({#n, address<double, double, double>(::n)});                   \
  All.push_back({#n "f", address<float, float, float>(::n##f)});
  AK_LIBM1(AK_ONE)
  AK_LIBM2(AK_TWO)
  All.push_back({"fma", address<double, double, double, double>(::fma)});
  All.push_back({"fmaf", address<float, float, float, float>(::fmaf)});
  All.push_back({"ldexp", address<double, double, int>(::ldexp)});
  All.push_back({"ldexpf", address<float, float, int>(::ldexpf)});
  All.push_back({"scalbn", address<double, double, int>(::scalbn)});
  All.push_back({"scalbnf", address<float, float, int>(::scalbnf)});
  All.push_back({"frexp", address<double, double, int *>(::frexp)});
  All.push_back({"frexpf", address<float, float, int *>(::frexpf)});
  All.push_back({"modf", address<double, double, double *>(::modf)});
  All.push_back({"modff", address<float, float, float *>(::modff)});
  All.push_back({"ilogb", address<int, double>(::ilogb)});
  All.push_back({"ilogbf", address<int, float>(::ilogbf)});
  All.push_back({"lrint", address<long, double>(::lrint)});
  All.push_back({"lrintf", address<long, float>(::lrintf)});
  All.push_back({"lround", address<long, double>(::lround)});
  All.push_back({"lroundf", address<long, float>(::lroundf)});
  All.push_back({"llrint", address<long long, double>(::llrint)});
  All.push_back({"llrintf", address<long long, float>(::llrintf)});
  All.push_back({"llround", address<long long, double>(::llround)});
  All.push_back({"llroundf", address<long long, float>(::llroundf)});
  All.push_back({"j0", address<double, double>(::j0)});
  All.push_back({"j1", address<double, double>(::j1)});
  All.push_back(
      {"sincos", address<void, double, double *, double *>(::sincos)});
  All.push_back({"sincosf", address<void, float, float *, float *>(::sincosf)});
}

static void addMemory(std::vector<NamedAddress> &All) {
  All.push_back(
      {"memcpy", address<void *, void *, const void *, size_t>(::memcpy)});
  All.push_back(
      {"memmove", address<void *, void *, const void *, size_t>(::memmove)});
  All.push_back({"memset", address<void *, void *, int, size_t>(::memset)});
  All.push_back(
      {"memcmp", address<int, const void *, const void *, size_t>(::memcmp)});
  All.push_back(
      {"bcmp", address<int, const void *, const void *, size_t>(::memcmp)});
  All.push_back({"atexit", address(noAtExit)});
}

std::vector<NamedAddress> allowedSymbols() {
  std::vector<NamedAddress> All;
#define AK_ADD(f) All.push_back({#f, reinterpret_cast<void *>(&f)});
  AK_MACHINE(AK_ADD)
  All.push_back({"printf", reinterpret_cast<void *>(&__ak_printf)});
  All.push_back({"threadIdx", &__ak_thread_idx});
  All.push_back({"blockIdx", &__ak_block_idx});
  All.push_back({"blockDim", &__ak_block_dim});
  All.push_back({"gridDim", &__ak_grid_dim});
  All.push_back({"__ak_shared_arena", &__ak_shared_arena});
  All.push_back({"__ak_dynamic_shared", &__ak_dynamic_shared});
  All.push_back({"__ak_host_site", &__ak_host_site});
  addMath(All);
  addMemory(All);
  return All;
}

} // namespace autokernel::emulator
