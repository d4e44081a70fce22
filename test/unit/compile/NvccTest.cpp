// The nvcc stage: report, errors as data, what is an Error. The tests that
// need nvcc are skipped where there is none.
#include "compile/Nvcc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <chrono>
#include <cstdlib>
#include <optional>
#include <unistd.h>

using namespace autokernel;

namespace {

const char Good[] = R"(#include <cuda_runtime.h>
namespace {
template <class T> __global__ void scale(T *a, int n) {
  __shared__ T tile[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n ? a[i] : T(0);
  __syncthreads();
  if (i < n) a[i] = tile[255 - threadIdx.x];
}
}
extern "C" cudaError_t autokernel_a(float *a, int n, void *, size_t, cudaStream_t s) {
  scale<float><<<(n + 255) / 256, 256, 0, s>>>(a, n);
  return cudaGetLastError();
}
)";

#define NEED_NVCC()                                                            \
  if (auto Found = findNvcc(); !Found) {                                       \
    llvm::consumeError(Found.takeError());                                     \
    GTEST_SKIP() << "no nvcc on this machine";                                 \
  }

struct EnvironmentChange {
  EnvironmentChange(const char *Name, const char *Value) : Name(Name) {
    if (const char *Old = getenv(Name))
      Before = Old;
    setenv(Name, Value, 1);
  }
  ~EnvironmentChange() {
    Before ? setenv(Name, Before->c_str(), 1) : unsetenv(Name);
  }
  const char *Name;
  std::optional<std::string> Before;
};

TEST(NvccLog, ParsesReportAndDiagnostics) {
  NvccResult R;
  parseNvccLog(
      R"(k.cu(3): error: identifier "foo" is undefined
k.cu(2): warning #177-D: variable "unused" was declared but never referenced
/tmp/x/k.cu:2:10: fatal error: nothere.h: No such file or directory
ptxas error   : Entry function '_Z1kPfi' uses too much shared data (0x19000 bytes, 0xc000 max)
ptxas info    : Compiling entry function '_ZN3foo1kIfEEvPT_i' for 'sm_80'
ptxas info    : Function properties for _ZN3foo1kIfEEvPT_i
    400 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Function properties for _Z6helperv
    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 400 bytes cumulative stack size, 1024 bytes smem, 364 bytes cmem[0]
)",
      R);
  ASSERT_EQ(R.Diagnostics.size(), 4u);
  EXPECT_EQ(R.Diagnostics[0].File, "k.cu");
  EXPECT_EQ(R.Diagnostics[0].Line, 3u);
  EXPECT_TRUE(R.Diagnostics[0].IsError);
  EXPECT_EQ(R.Diagnostics[0].Message, "identifier \"foo\" is undefined");
  EXPECT_FALSE(R.Diagnostics[1].IsError);
  EXPECT_EQ(R.Diagnostics[2].File, "k.cu");
  EXPECT_TRUE(R.Diagnostics[2].IsError);
  EXPECT_NE(R.Diagnostics[3].Message.find("'k(float*, int)' uses too much"),
            std::string::npos);
  ASSERT_EQ(R.Kernels.size(), 1u);
  const KernelResources &K = R.Kernels[0];
  EXPECT_EQ(K.Kernel, "void foo::k<float>(float*, int)");
  EXPECT_EQ(K.Architecture, "sm_80");
  EXPECT_EQ(K.Registers, 32u);
  EXPECT_EQ(K.StackBytes, 400u);
  EXPECT_EQ(K.SpillStoreBytes, 8u);
  EXPECT_EQ(K.SpillLoadBytes, 12u);
  EXPECT_EQ(K.SharedBytes, 1024u);
  EXPECT_EQ(K.ConstantBytes, 364u);
}

TEST(Nvcc, ReportsEachKernelOnEachArchitecture) {
  NEED_NVCC();
  NvccRequest Request;
  Request.Source = Good;
  Request.KeepObject = true;
  auto R = compileWithNvcc(Request);
  ASSERT_TRUE(bool(R)) << llvm::toString(R.takeError());
  EXPECT_TRUE(R->Compiled) << R->Log;
  EXPECT_EQ(R->Object.substr(1, 3), "ELF");
  ASSERT_EQ(R->Kernels.size(), 2u);
  EXPECT_EQ(R->Kernels[0].Kernel,
            "void (anonymous namespace)::scale<float>(float*, int)");
  EXPECT_EQ(R->Kernels[0].Architecture, "sm_80");
  EXPECT_EQ(R->Kernels[1].Architecture, "sm_90");
  EXPECT_EQ(R->Kernels[1].SharedBytes, 1024u);
  EXPECT_GT(R->Kernels[0].Registers, 0u);
  EXPECT_EQ(R->Kernels[0].SpillStoreBytes, 0u);
}

TEST(Nvcc, CompileErrorsAreData) {
  NEED_NVCC();
  NvccRequest Request;
  Request.Source = "#include <cuda_runtime.h>\n__global__ void k(float *a) {\n"
                   "  a[0] = nothing;\n}\n";
  Request.FileName = "dir/broken.cu";
  Request.Architectures = {"sm_80"};
  auto R = compileWithNvcc(Request);
  ASSERT_TRUE(bool(R)) << llvm::toString(R.takeError());
  EXPECT_FALSE(R->Compiled);
  ASSERT_EQ(R->Diagnostics.size(), 1u) << R->Log;
  EXPECT_EQ(R->Diagnostics[0].File, "broken.cu");
  EXPECT_EQ(R->Diagnostics[0].Line, 3u);
  EXPECT_TRUE(R->Object.empty());
}

TEST(Nvcc, BadArchitecturesAreErrors) {
  NvccRequest Request;
  Request.Architectures = {"; rm -rf"};
  NEED_NVCC();
  auto R = compileWithNvcc(Request);
  ASSERT_FALSE(bool(R));
  EXPECT_NE(llvm::toString(R.takeError()).find("no CUDA architecture"),
            std::string::npos);
  Request.Architectures = {"sm_10"};
  R = compileWithNvcc(Request);
  ASSERT_FALSE(bool(R));
  EXPECT_NE(llvm::toString(R.takeError()).find("Unsupported gpu architecture"),
            std::string::npos);
}

TEST(Nvcc, MissingNamesTheRemedy) {
  EnvironmentChange Path("PATH", "/nowhere"), Unset("CUDACXX", "");
  auto Elsewhere = findNvcc();
  if (Elsewhere) {
    EXPECT_EQ(*Elsewhere, "/usr/local/cuda/bin/nvcc");
  } else {
    EXPECT_NE(llvm::toString(Elsewhere.takeError()).find("CUDACXX"),
              std::string::npos);
  }
  EnvironmentChange Wrong("CUDACXX", "/nowhere/nvcc");
  auto R = findNvcc();
  ASSERT_FALSE(bool(R));
  EXPECT_NE(llvm::toString(R.takeError()).find("unset it"), std::string::npos);
}

/// A stand-in for nvcc that starts a child, as nvcc does, and hangs.
TEST(Nvcc, TimeoutEndsTheWholeGroupAndLeavesNoFiles) {
  llvm::SmallString<128> Folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("autokernel-test", Folder));
  std::string Script = (Folder + "/nvcc").str(), Temp = (Folder + "/t").str();
  llvm::sys::fs::create_directory(Temp);
  {
    std::error_code E;
    llvm::raw_fd_ostream Out(Script, E);
    Out << "#!/bin/sh\nsleep 30 & echo $! > " << Folder
        << "/child\ntouch $TMPDIR/left\nwait\n";
  }
  llvm::sys::fs::setPermissions(Script, llvm::sys::fs::all_all);
  EnvironmentChange Cxx("CUDACXX", Script.c_str());
  EnvironmentChange Tmp("TMPDIR", Temp.c_str());
  NvccRequest Request;
  Request.TimeoutSeconds = 1;
  auto R = compileWithNvcc(Request);
  ASSERT_FALSE(bool(R));
  EXPECT_NE(llvm::toString(R.takeError()).find("more than 1 s"),
            std::string::npos);
  std::error_code E;
  EXPECT_EQ(llvm::sys::fs::directory_iterator(Temp, E),
            llvm::sys::fs::directory_iterator());
  auto Child = llvm::MemoryBuffer::getFile(Folder + "/child");
  ASSERT_TRUE(bool(Child));
  usleep(50000);
  std::string Proc = "/proc/" + (*Child)->getBuffer().trim().str() + "/cmdline";
  auto Alive = llvm::MemoryBuffer::getFileAsStream(Proc);
  EXPECT_TRUE(!Alive || (*Alive)->getBuffer().empty()); // gone or a zombie
  llvm::sys::fs::remove_directories(Folder);
}

} // namespace
