//===- Compiling.cpp - errors, refusals, headers --------------------------===//

#include "Harness.h"

using namespace autokernel::emulator;

TEST(EmulatorCompiling, ErrorsNameTheirPlace) {
  bool Unsupported = true;
  std::string Text = compileError(
      "__global__ void k(float *y) {\n  y[0] = z;\n}\n", &Unsupported);
  EXPECT_NE(
      Text.find("candidate.cu:2:10: error: use of undeclared identifier 'z'"),
      std::string::npos)
      << Text;
  EXPECT_FALSE(Unsupported);
}

TEST(EmulatorCompiling, HostFunctionsInKernelsAreErrors) {
  bool Unsupported = true;
  std::string Text = compileError(
      "int f();\n__global__ void k(int *y) { y[0] = f(); }\n", &Unsupported);
  EXPECT_NE(Text.find("candidate.cu:2"), std::string::npos) << Text;
  EXPECT_FALSE(Unsupported);
}

TEST(EmulatorCompiling, WarningsAreKept) {
  auto Object = compileForEmulator(
      "__global__ void k(int *y) { if (y = 0) y[0] = 1; }\n", "candidate.cu");
  ASSERT_TRUE(bool(Object)) << llvm::toString(Object.takeError());
  EXPECT_NE(Object->Warnings.find("warning"), std::string::npos);
}

struct Refusal {
  const char *Name, *Source;
};

class EmulatorRefusals : public testing::TestWithParam<Refusal> {};

TEST_P(EmulatorRefusals, AreUnsupportedNotWrong) {
  bool Unsupported = false;
  std::string Text = compileError(GetParam().Source, &Unsupported);
  EXPECT_TRUE(Unsupported) << Text;
  EXPECT_NE(Text.find("unsupported on the emulator"), std::string::npos)
      << Text;
}

INSTANTIATE_TEST_SUITE_P(
    All, EmulatorRefusals,
    testing::Values(Refusal{"LaneRegister", R"(
__global__ void k(unsigned *y) { unsigned l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); y[0] = l; })"},
                    Refusal{"FloatPtx", R"(
__global__ void k(float *y) { float l; asm volatile("rcp.approx.f32 %0, %1;" : "=f"(l) : "f"(y[0])); y[0] = l; })"},
                    Refusal{"AddressPtx", R"(
__global__ void k(float *y) { asm volatile("prefetch.global.L2 [%0];" :: "l"(y)); })"},
                    Refusal{"Wmma", "#include <mma.h>\n"},
                    Refusal{"Pipeline", "#include <cuda_pipeline.h>\n"},
                    Refusal{"AsyncCopy", R"(
__global__ void k(float *y) { __shared__ float s[4]; __pipeline_memcpy_async(s, y, 16); })"},
                    Refusal{"OldShuffle", R"(
__global__ void k(float *y) { y[0] = __shfl_down(y[0], 1); })"},
                    Refusal{"DynamicParallelism", R"(
__global__ void c(float *y) { y[0] = 1; }
__global__ void k(float *y) { c<<<1, 1>>>(y); })"},
                    Refusal{"UnknownIntrinsic", R"(
__global__ void k(unsigned *y) { y[0] = __vadd4(y[0], y[1]); })"},
                    Refusal{"UnknownApi", R"(
extern "C" int go() { return cudaGraphLaunch(0, 0); })"},
                    Refusal{"UnknownHeader",
                            "#include <cub/block/block_reduce.cuh>\n"},
                    Refusal{"Malloc", R"(
__global__ void k(float **y) { y[0] = (float *)malloc(16); })"},
                    Refusal{"Texture", R"(
__global__ void k(cudaTextureObject_t t, float *y) { y[0] = tex2D<float>(t, 0, 0); })"}),
    [](const auto &Info) { return Info.param.Name; });

TEST(EmulatorCompiling, CommonHeadersExist) {
  std::string Text;
  for (const char *Header : {"cuda_runtime.h",
                             "cuda.h",
                             "cuda_fp16.h",
                             "cuda_bf16.h",
                             "cooperative_groups.h",
                             "device_launch_parameters.h",
                             "stdint.h",
                             "stddef.h",
                             "math.h",
                             "float.h",
                             "limits.h",
                             "stdio.h",
                             "string.h",
                             "stdlib.h",
                             "assert.h",
                             "cstdint",
                             "cstddef",
                             "cmath",
                             "cfloat",
                             "climits",
                             "limits",
                             "algorithm",
                             "type_traits",
                             "utility",
                             "array",
                             "functional",
                             "cstring",
                             "cstdio",
                             "cstdlib",
                             "cassert",
                             "math_constants.h",
                             "vector_types.h",
                             "cooperative_groups/reduce.h",
                             "cuda/std/cmath",
                             "cuda/std/limits"})
    Text += std::string("#include <") + Header + ">\n";
  Text += "template <class T> __global__ void k(T *y) {\n"
          "  static_assert(std::is_same_v<std::remove_const_t<const T>, T>);\n"
          "  y[0] = std::numeric_limits<T>::max() + cuda::std::sqrt(y[1]);\n"
          "}\n"
          "extern \"C\" void go(float *y) { k<float><<<1, 1>>>(y); }\n";
  EXPECT_EQ(compileError(Text), "");
}

TEST(EmulatorCompiling, OnlyTheOfferedSymbolsLink) {
  auto Object =
      compileForEmulator("extern \"C\" int system(const char *);\n"
                         "extern \"C\" int go() { return system(\"true\"); }\n",
                         "candidate.cu");
  ASSERT_TRUE(bool(Object)) << llvm::toString(Object.takeError());
  auto M = Machine::load(Object->Object);
  ASSERT_FALSE(bool(M));
  EXPECT_NE(llvm::toString(M.takeError()).find("system"), std::string::npos);
}

TEST(EmulatorCompiling, NoKernelsIsFine) {
  Candidate C("extern \"C\" int go() { return 7; }\n");
  EXPECT_EQ(C.run(), 7);
}

TEST(EmulatorCompiling, TooMuchStaticSharedMemory) {
  std::string Text = compileError("__global__ void k(float *y) {\n"
                                  "  __shared__ float s[12289];\n"
                                  "  s[threadIdx.x] = 1;\n"
                                  "  y[0] = s[0];\n"
                                  "}\n");
  EXPECT_NE(Text.find("candidate.cu:1:1: error: kernel 'k' has 49156 bytes"),
            std::string::npos)
      << Text;
}

TEST(EmulatorCompiling, OnlyCudasOwnAtomics) {
  EXPECT_NE(
      compileError("__global__ void k(long long *y) { atomicAdd(y, 1ll); }"),
      "");
  EXPECT_NE(compileError("__global__ void k(size_t *y) { atomicAdd(y, 1ul); }"),
            "");
  EXPECT_EQ(
      compileError(
          "__global__ void k(unsigned long long *y) { atomicAdd(y, 1); }"),
      "");
}

TEST(EmulatorCompiling, TyposOfKnownNamesAreErrors) {
  bool Unsupported = true;
  std::string Text = compileError(
      "extern \"C\" int go() { return cudaGetLastEror(); }\n", &Unsupported);
  EXPECT_NE(Text.find("did you mean 'cudaGetLastError'"), std::string::npos)
      << Text;
  EXPECT_FALSE(Unsupported);
}
