//===- Headers.cpp - the CUDA headers, served from memory -----------------===//

#include "EmbeddedHeaders.h"
#include "emulator/Emulator.h"
#include "emulator/Frontend.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace autokernel::emulator {

static constexpr StringLiteral HeaderFolder = "/autokernel/include";

namespace {
struct MissingHeader {
  StringLiteral Path, Feature;
};
} // namespace

// Including one of these is a clear refusal instead of "file not found".
static constexpr MissingHeader MissingHeaders[] = {
    {"mma.h", "wmma"},
    {"cuda_pipeline.h", "cp.async"},
    {"cuda_pipeline_primitives.h", "cp.async"},
    {"cuda_texture_types.h", "textures"},
    {"texture_types.h", "textures"},
    {"texture_fetch_functions.h", "textures"},
    {"surface_functions.h", "surfaces"},
    {"surface_types.h", "surfaces"},
    {"curand_kernel.h", "cuRAND"},
    {"curand.h", "cuRAND"},
    {"cublas_v2.h", "cuBLAS"},
    {"cufft.h", "cuFFT"},
    {"cuda_fp8.h", "fp8 types"},
    {"cuda_fp4.h", "fp4 types"},
    {"cuda/barrier", "cuda::barrier"},
    {"cuda/pipeline", "cuda::pipeline"},
    {"cuda/atomic", "cuda::atomic"},
    {"cuda/ptx", "PTX"},
    {"cuda/std/atomic", "cuda::std::atomic"},
    {"cub/cub.cuh", "CUB"},
    {"thrust/device_vector.h", "Thrust"},
    {"cute/tensor.hpp", "CUTLASS"},
    {"cutlass/cutlass.h", "CUTLASS"},
    {"cooperative_groups/memcpy_async.h", "cg::memcpy_async"},
};

static void addFile(vfs::InMemoryFileSystem &Files, const Twine &Path,
                    StringRef Text) {
  Files.addFile(Twine(HeaderFolder) + "/" + Path, 0,
                MemoryBuffer::getMemBufferCopy(Text));
}

IntrusiveRefCntPtr<vfs::InMemoryFileSystem> emulatorHeaders() {
  auto Files = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  for (const auto &Header : kEmulatorHeaders)
    addFile(*Files, Header.name, Header.text);
  for (const MissingHeader &Header : MissingHeaders)
    addFile(*Files, Header.Path,
            ("#error \"" + UnsupportedMark + Header.Feature + "\"\n").str());
  // Host code registers its kernels only where a device image is embedded.
  Files->addFile(FatBinaryPath, 0, MemoryBuffer::getMemBuffer("autokernel"));
  return Files;
}

// Contraction needs an instruction to contract to.
static void addFeatures(std::vector<std::string> &Arguments) {
  StringMap<bool> Features = sys::getHostCPUFeatures();
  if (!Features.lookup("fma") || !Features.lookup("avx2"))
    return;
  for (StringRef Feature : {"+avx2", "+fma", "+bmi", "+popcnt", "+lzcnt"})
    Arguments.insert(Arguments.end(), {"-target-feature", Feature.str()});
}

std::vector<std::string> emulatorArguments(EmulatorSide Side,
                                           const EmulatorOptions &Options) {
  std::string Triple = sys::getDefaultTargetTriple();
  std::vector<std::string> Arguments = {
      "-triple", Triple, "-aux-triple", Triple, "-x", "cuda",
      "-target-sdk-version=12.8", "-std=c++17", "-O2", "-disable-llvm-passes",
      "-nostdsysteminc", "-nobuiltininc", "-internal-isystem",
      HeaderFolder.str(), "-include", "cuda_runtime.h", "-mrelocation-model",
      "pic", "-pic-level", "2", "-fno-threadsafe-statics", "-fno-finite-loops",
      // Kernels reinterpret memory freely, and nvcc lets them.
      "-relaxed-aliasing", "-fcuda-allow-variadic-functions",
      "-debug-info-kind=line-tables-only", "-dwarf-version=4", "-ferror-limit",
      "20", "-Wall", "-Wno-unused-function", "-Wno-unknown-pragmas",
      "-Wno-unused-variable",
      Options.Contract ? "-ffp-contract=fast" : "-ffp-contract=off"};
  addFeatures(Arguments);
  if (Side == EmulatorSide::Host) {
    Arguments.insert(Arguments.end(),
                     {"-fcuda-include-gpubinary", FatBinaryPath.str()});
    return Arguments;
  }
  Arguments.insert(Arguments.end(),
                   {"-fcuda-is-device", "-D__AUTOKERNEL_DEVICE__=1"});
  if (Options.Check)
    Arguments.insert(
        Arguments.end(),
        {"-D__AUTOKERNEL_CHECK__=1",
         "-fsanitize=array-bounds,shift-exponent,signed-integer-overflow,"
         "integer-divide-by-zero",
         // The others end the launch.
         "-fsanitize-recover=shift-exponent,signed-integer-overflow"});
  return Arguments;
}

} // namespace autokernel::emulator
