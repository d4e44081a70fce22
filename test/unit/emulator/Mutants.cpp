//===- Mutants.cpp - honest kernels with one barrier taken away -----------===//
//
// Each barrier below is needed, so the race detector must miss none of them, in
// whichever order threads run.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include <cstring>

using namespace autokernel::emulator;

struct Mutant {
  const char *Name, *Source;
};

class EmulatorMutants : public testing::TestWithParam<Mutant> {};

static std::vector<size_t> occurrences(const std::string &Text,
                                       const std::string &Word) {
  std::vector<size_t> Found;
  for (size_t At = Text.find(Word); At != std::string::npos;
       At = Text.find(Word, At + 1))
    Found.push_back(At);
  return Found;
}

static std::vector<Report> runOnce(const std::string &Source,
                                   MachineOptions::Order Order) {
  MachineOptions O;
  O.Schedule = Order;
  Candidate C(Source, O);
  if (!C.M)
    return {};
  float *X = C.buffer(std::vector<float>(4096, 1), "x");
  float *Y = C.fresh<float>(4096, "y");
  C.run(X, Y);
  return C.M->reports();
}

TEST_P(EmulatorMutants, NoneSurvives) {
  std::string Source = GetParam().Source;
  for (const char *Barrier :
       {"__syncthreads();", "__syncwarp();", "grid.sync();"})
    for (size_t At : occurrences(Source, Barrier)) {
      std::string Text = Source;
      Text.replace(At, strlen(Barrier), strlen(Barrier), ' ');
      for (auto Order : {MachineOptions::Forward, MachineOptions::Random}) {
        bool Caught = false;
        for (const Report &R : runOnce(Text, Order))
          Caught |= R.Kind == "race" || R.Kind == "uninitialised-read";
        EXPECT_TRUE(Caught) << Text.substr(0, At) << "<- here";
      }
    }
  for (const Report &R : runOnce(Source, MachineOptions::Forward))
    ADD_FAILURE() << toString(R);
}

INSTANTIATE_TEST_SUITE_P(All, EmulatorMutants,
                         testing::Values(Mutant{"Transpose", R"(
__global__ void k(const float *x, float *y) {
  __shared__ float s[16][17];
  s[threadIdx.y][threadIdx.x] = x[(blockIdx.y * 16 + threadIdx.y) * 64 + blockIdx.x * 16 + threadIdx.x];
  __syncthreads();
  y[(blockIdx.x * 16 + threadIdx.y) * 64 + blockIdx.y * 16 + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}
extern "C" cudaError_t go(const float *x, float *y) { k<<<dim3(4, 4), dim3(16, 16)>>>(x, y); return cudaGetLastError(); })"},
                                         Mutant{"Matrix", R"(
__global__ void k(const float *x, float *y) {
  __shared__ float a[16][16], b[16][16];
  int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
  float s = 0;
  for (int t = 0; t < 64; t += 16) {
    a[threadIdx.y][threadIdx.x] = x[r * 64 + t + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = x[(t + threadIdx.y) * 64 + c];
    __syncthreads();
    for (int i = 0; i < 16; ++i) s += a[threadIdx.y][i] * b[i][threadIdx.x];
    __syncthreads();
  }
  y[r * 64 + c] = s;
}
extern "C" cudaError_t go(const float *x, float *y) { k<<<dim3(4, 4), dim3(16, 16)>>>(x, y); return cudaGetLastError(); })"},
                                         Mutant{"Reduction", R"(
__device__ float all(float v, float *part) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0;
  for (int i = 0; i < blockDim.x / 32; ++i) v += part[i];
  __syncthreads();
  return v;
}
__global__ void k(const float *x, float *y) {
  __shared__ float part[32];
  float v = x[blockIdx.x * 128 + threadIdx.x];
  float mean = all(v, part) / 128;
  float var = all((v - mean) * (v - mean), part) / 128;
  y[blockIdx.x * 128 + threadIdx.x] = (v - mean) * rsqrtf(var + 1e-5f);
}
extern "C" cudaError_t go(const float *x, float *y) {
  k<<<4, 128>>>(x, y); return cudaGetLastError(); })"},
                                         Mutant{"Bitonic", R"(
__global__ void k(const float *x, float *y) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = x[t];
  for (int k = 2; k <= 256; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      __syncthreads();
      int p = t ^ j;
      if (p > t) {
        float a = s[t], b = s[p];
        bool up = (t & k) == 0;
        s[t] = up ? fminf(a, b) : fmaxf(a, b);
        s[p] = up ? fmaxf(a, b) : fminf(a, b);
      }
    }
  __syncthreads();
  y[t] = s[t ^ 1];
}
extern "C" cudaError_t go(const float *x, float *y) { k<<<1, 256, 1024>>>(x, y); return cudaGetLastError(); })"},
                                         Mutant{"WarpTree", R"(
__global__ void k(const float *x, float *y) {
  __shared__ float s[4][32];
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  s[w][l] = x[threadIdx.x];
  __syncwarp();
  float v = s[w][31 - l];
  __syncwarp();
  s[w][l] = v + 1;
  __syncwarp();
  y[threadIdx.x] = s[w][(l + 1) % 32];
}
extern "C" cudaError_t go(const float *x, float *y) { k<<<1, 128>>>(x, y); return cudaGetLastError(); })"},
                                         Mutant{"Grid", R"(
#include <cooperative_groups.h>
__global__ void k(float *x, float *y) {
  auto grid = cooperative_groups::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  y[i] = x[i];
  grid.sync();
  float v = y[n - 1 - i];
  grid.sync();
  y[i] = v + 1;
}
extern "C" cudaError_t go(float *x, float *y) {
  void *args[] = {&x, &y};
  return cudaLaunchCooperativeKernel(k, dim3(4), dim3(64), args); })"}),
                         [](const auto &Info) { return Info.param.Name; });
