//===- Cuda.cpp - the runtime API, and registration by the object ---------===//

#include "emulator/machine/Launch.h"
#include "llvm/ADT/Twine.h"
#include <cstdarg>
#include <cstdio>
#include <cstring>

using namespace llvm;
using namespace autokernel::emulator;

extern "C" const Site *__ak_host_site;

namespace autokernel::emulator {

static constexpr size_t MaxPrinted = 64 * 1024;

enum Error {
  Success = 0,
  InvalidValue = 1,
  InvalidSymbol = 13,
  InvalidDeviceFunction = 98,
  InvalidDevice = 101
};

static int fail(int Error, const Twine &Message,
                StringRef Kind = "bad-launch") {
  report(Kind, __ak_host_site, Message);
  return TheSession.LastError = Error;
}

static Kernel *kernelOf(const void *Stub) {
  auto Found = TheSession.KernelByStub.find(Stub);
  return Found == TheSession.KernelByStub.end()
             ? nullptr
             : &TheSession.Kernels[Found->second];
}

/// Copies and fills only work inside live buffers.
static int checkBuffer(const void *Pointer, size_t Bytes, bool IsWrite) {
  uint64_t Address = reinterpret_cast<uint64_t>(Pointer);
  if (bufferOf(Address, Bytes))
    return Success;
  if (!isDeviceRange(Address, 1))
    return fail(InvalidValue,
                "a copy or fill is given a pointer that isn't device memory",
                "wrong-side-pointer");
  Report R = describe(IsWrite ? "out-of-bounds-write" : "out-of-bounds-read",
                      __ak_host_site);
  locate(R, Address, Bytes);
  R.Message = "a copy or fill of " + std::to_string(Bytes) + " bytes leaves '" +
              R.Buffer + "'";
  file(std::move(R));
  return TheSession.LastError = InvalidValue;
}

static int launchStub(const void *Stub, Dim Grid, Dim Block, void **Arguments,
                      size_t Shared, bool Cooperative) {
  Kernel *K = kernelOf(Stub);
  if (!K)
    return fail(InvalidDeviceFunction, "what is launched isn't a kernel");
  return launch({K, Grid, Block, Shared, Arguments, Cooperative});
}

static int attribute(int Which) {
  const MachineOptions &O = TheSession.Options;
  switch (Which) {
  case 1:
    return int(O.MaxThreadsPerBlock);
  case 2:
    return int(O.MaxBlockX);
  case 3:
    return int(O.MaxBlockY);
  case 4:
    return int(O.MaxBlockZ);
  case 5:
    return int(O.MaxGridX);
  case 6:
    return int(O.MaxGridY);
  case 7:
    return int(O.MaxGridZ);
  case 8:
    return int(O.SharedBytes);
  case 9:
    return 65536;
  case 10:
    return 32;
  case 12:
    return 65536;
  case 16:
    return int(O.Multiprocessors);
  case 38:
    return 50 << 20;
  case 39:
    return 2048;
  case 75:
    return 9;
  case 76:
    return 0;
  case 81:
    return 228 * 1024;
  case 95:
    return 1;
  case 97:
    return int(O.SharedOptInBytes);
  default:
    return 0;
  }
}

static const char *errorName(int Error) {
  switch (Error) {
  case 0:
    return "cudaSuccess";
  case 1:
    return "cudaErrorInvalidValue";
  case 9:
    return "cudaErrorInvalidConfiguration";
  case 13:
    return "cudaErrorInvalidSymbol";
  case 98:
    return "cudaErrorInvalidDeviceFunction";
  case 700:
    return "cudaErrorIllegalAddress";
  case 702:
    return "cudaErrorLaunchTimeout";
  case 716:
    return "cudaErrorMisalignedAddress";
  case 719:
    return "cudaErrorLaunchFailure";
  case 720:
    return "cudaErrorCooperativeLaunchTooLarge";
  default:
    return "cudaErrorUnknown";
  }
}

static void copyShadowed(void *To, const void *From, size_t Bytes) {
  memmove(To, From, Bytes);
  setShadow(reinterpret_cast<uint64_t>(To), Bytes, AK_HOST_WRITTEN);
}

namespace {
struct Configuration {
  Dim Grid, Block;
  size_t Shared;
  void *Stream;
};
Configuration Pushed;
} // namespace

} // namespace autokernel::emulator

extern "C" {

void __ak_register_sites(const Site **Table, unsigned Count) {
  TheSession.Sites.assign(Table, Table + Count);
}

void __ak_register_shared(uint64_t Offset, uint64_t Size, const char *Name) {
  TheSession.SharedLayout.push_back({Offset, Size, Name});
  TheSession.SharedEnd = Offset + Size;
}

void __ak_register_kernel(const char *Symbol, const char *Name,
                          void (*Run)(void **), uint64_t Shared,
                          unsigned MaxThreads) {
  TheSession.KernelBySymbol[Symbol] = unsigned(TheSession.Kernels.size());
  TheSession.Kernels.push_back({Symbol, Name, Run, Shared, MaxThreads, 0});
}

void __ak_register_variable(const char *Symbol, const char *Name, void **Slot,
                            const void *Image, uint64_t Size, int) {
  auto At = allocateDevice(Size, Name, 0);
  if (!At)
    return consumeError(At.takeError());
  *Slot = reinterpret_cast<void *>(*At);
  copyShadowed(*Slot, Image, Size);
  TheSession.VariableSlots[Symbol] = Slot;
}

void **__cudaRegisterFatBinary(void *) { return nullptr; }
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}

int __cudaRegisterFunction(void **, const void *Stub, char *,
                           const char *Symbol, int, void *, void *, void *,
                           void *, int *) {
  auto Found = TheSession.KernelBySymbol.find(Symbol);
  if (Found != TheSession.KernelBySymbol.end())
    TheSession.KernelByStub[Stub] = Found->second;
  return 0;
}

void __cudaRegisterVar(void **, void *Shadow, char *, const char *Symbol, int,
                       size_t, int, int) {
  auto Found = TheSession.VariableSlots.find(Symbol);
  if (Found != TheSession.VariableSlots.end())
    TheSession.VariableByShadow[Shadow] = Found->second;
}

int __cudaPushCallConfiguration(Dim Grid, Dim Block, size_t Shared,
                                void *Stream) {
  Pushed = {Grid, Block, Shared, Stream};
  return 0;
}

int __cudaPopCallConfiguration(Dim *Grid, Dim *Block, size_t *Shared,
                               void **Stream) {
  *Grid = Pushed.Grid;
  *Block = Pushed.Block;
  *Shared = Pushed.Shared;
  *Stream = Pushed.Stream;
  return 0;
}

int cudaLaunchKernel(const void *Stub, Dim Grid, Dim Block, void **Arguments,
                     size_t Shared, void *) {
  return launchStub(Stub, Grid, Block, Arguments, Shared, false);
}

int cudaLaunchCooperativeKernel(const void *Stub, Dim Grid, Dim Block,
                                void **Arguments, size_t Shared, void *) {
  return launchStub(Stub, Grid, Block, Arguments, Shared, true);
}

int cudaPeekAtLastError() { return TheSession.LastError; }

// Errors of a dead context stay.
int cudaGetLastError() {
  int Error = TheSession.LastError;
  if (!TheSession.Dead)
    TheSession.LastError = 0;
  return Error;
}

const char *cudaGetErrorName(int Error) { return errorName(Error); }
const char *cudaGetErrorString(int Error) { return errorName(Error); }
int cudaDeviceSynchronize() {
  return TheSession.Dead ? TheSession.LastError : 0;
}
int cudaStreamSynchronize(void *) { return cudaDeviceSynchronize(); }

int cudaMemset(void *To, int Byte, size_t Bytes) {
  if (!Bytes)
    return Success;
  if (int Error = checkBuffer(To, Bytes, true))
    return Error;
  memset(To, Byte, Bytes);
  setShadow(reinterpret_cast<uint64_t>(To), Bytes, AK_HOST_WRITTEN);
  return Success;
}

int cudaMemsetAsync(void *To, int Byte, size_t Bytes, void *) {
  return cudaMemset(To, Byte, Bytes);
}

int cudaMemset2DAsync(void *To, size_t Pitch, int Byte, size_t Width,
                      size_t Height, void *) {
  int Error = Success;
  for (size_t I = 0; I < Height && !Error; ++I)
    Error = cudaMemset(static_cast<char *>(To) + I * Pitch, Byte, Width);
  return Error;
}

int cudaMemcpy(void *To, const void *From, size_t Bytes, int Kind) {
  if (!Bytes)
    return Success;
  if (Kind != 3 && Kind != 4)
    return fail(InvalidValue, "a launcher may copy between device buffers only",
                "wrong-side-pointer");
  if (int Error = checkBuffer(From, Bytes, false))
    return Error;
  if (int Error = checkBuffer(To, Bytes, true))
    return Error;
  copyShadowed(To, From, Bytes);
  return Success;
}

int cudaMemcpyAsync(void *To, const void *From, size_t Bytes, int Kind,
                    void *) {
  return cudaMemcpy(To, From, Bytes, Kind);
}

int __ak_copy_to_symbol(const void *Symbol, const void *From, size_t Bytes,
                        size_t Offset, int) {
  auto Found = TheSession.VariableByShadow.find(Symbol);
  if (Found == TheSession.VariableByShadow.end())
    return fail(InvalidSymbol,
                "a copy is given something that isn't a device variable");
  char *To = static_cast<char *>(*Found->second) + Offset;
  if (int Error = checkBuffer(To, Bytes, true))
    return Error;
  copyShadowed(To, From, Bytes);
  return Success;
}

int cudaGetDevice(int *Device) {
  *Device = 0;
  return Success;
}

int cudaDeviceGetAttribute(int *Value, int Which, int Device) {
  *Value = attribute(Which);
  return Device == 0 ? Success : (TheSession.LastError = InvalidDevice);
}

int __ak_func_set_attribute(const void *Stub, int Attribute, int Value) {
  Kernel *K = kernelOf(Stub);
  if (!K)
    return fail(InvalidDeviceFunction,
                "cudaFuncSetAttribute is given no kernel");
  if (Attribute != 8)
    return Success;
  uint64_t Most = TheSession.Options.SharedOptInBytes - K->StaticShared;
  if (Value < 0 || uint64_t(Value) > Most)
    return fail(InvalidValue,
                "'" + K->Name + "' asks for " + Twine(Value) +
                    " bytes of dynamic shared memory; the device has " +
                    Twine(Most),
                "shared-overflow");
  K->DynamicLimit = uint64_t(Value);
  return Success;
}

int __ak_func_get_attributes(void *Attributes, const void *Stub) {
  struct {
    size_t Shared, Constant, Local;
    int MaxThreads, Registers, Ptx, Binary, Cache, MaxDynamic, Carveout;
  } Values{};
  Kernel *K = kernelOf(Stub);
  if (!K)
    return fail(InvalidDeviceFunction,
                "cudaFuncGetAttributes is given no kernel");
  Values.Shared = K->StaticShared;
  Values.MaxThreads = K->MaxThreads ? int(K->MaxThreads) : 1024;
  Values.Registers = 32;
  Values.Ptx = Values.Binary = 90;
  Values.MaxDynamic = int(TheSession.Options.SharedBytes);
  memcpy(Attributes, &Values, sizeof Values);
  return Success;
}

int __ak_occupancy(int *Blocks, const void *Stub, int Threads, size_t Shared) {
  Kernel *K = kernelOf(Stub);
  if (!K || Threads <= 0)
    return fail(InvalidValue,
                "an occupancy query is given no kernel or no threads");
  uint64_t Bytes = K->StaticShared + Shared + 1024;
  *Blocks = int(
      std::min<uint64_t>({32, 2048 / uint64_t(Threads), 228 * 1024 / Bytes}));
  return Success;
}

int __ak_printf(const char *Format, ...) {
  char Line[1024];
  va_list Arguments;
  va_start(Arguments, Format);
  int Length = vsnprintf(Line, sizeof Line, Format, Arguments);
  va_end(Arguments);
  if (TheSession.Printed.size() < MaxPrinted)
    TheSession.Printed += Line;
  return Length;
}

uint64_t __ak_clock() {
  return TheSession.StepsUsed + uint64_t((1 << 16) - state().steps);
}

unsigned __ak_block_shared_bytes(int Dynamic) {
  return unsigned(TheSession.DynamicShared +
                  (Dynamic ? 0 : TheSession.Running->StaticShared));
}
}
