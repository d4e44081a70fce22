//===- Machine.h - runs what the emulator's compiler made -------*- C++ -*-===//
//
// Loads an object of compileForEmulator into this process and gives it a
// device: memory with red zones and shadow, blocks of threads on fibres, warps,
// the part of the CUDA API that launchers use. The candidate's launcher is then
// an ordinary C function. Errors of the candidate become Reports. One process
// has one machine at a time, used by one thread.
//
//===----------------------------------------------------------------------===//
#ifndef AUTOKERNEL_EMULATOR_MACHINE_H
#define AUTOKERNEL_EMULATOR_MACHINE_H

#include "emulator/Report.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace autokernel::emulator {

struct MachineOptions {
  enum Order { Forward, Reverse, Random };
  Order Schedule = Forward;
  uint64_t Seed = 1;
  /// Race and initialisation state is kept; an unchecked object ignores it.
  bool Check = true;
  uint64_t MaxSteps = 20'000'000'000; ///< Loop iterations of one launch.
  double MaxSeconds = 60;             ///< Wall clock of one launch.
  uint64_t HeapBytes = uint64_t(4) << 30;
  unsigned MaxReports = 64;

  unsigned MaxThreadsPerBlock = 1024;
  unsigned MaxBlockX = 1024, MaxBlockY = 1024, MaxBlockZ = 64;
  unsigned MaxGridX = 0x7fffffff, MaxGridY = 65535, MaxGridZ = 65535;
  uint64_t SharedBytes = 48 * 1024;       ///< Without opting in.
  uint64_t SharedOptInBytes = 227 * 1024; ///< With cudaFuncSetAttribute.
  unsigned Multiprocessors = 132;
};

struct MachineStatistics {
  uint64_t Launches = 0, Blocks = 0, Threads = 0, Steps = 0;
};

class Machine {
public:
  static llvm::Expected<std::unique_ptr<Machine>>
  load(llvm::StringRef Object, const MachineOptions &Options = {});
  ~Machine();

  /// A function of the candidate, such as its launcher; null if there is none.
  void *symbol(llvm::StringRef Name) const;

  /// Uninitialised device memory between red zones; \p MisalignBy bytes past a
  /// boundary of 256, so that hidden alignment assumptions show.
  llvm::Expected<void *> allocate(size_t Bytes, llvm::StringRef Name,
                                  size_t MisalignBy = 0);
  void release(void *Device);
  void copyIn(void *Device, const void *Host, size_t Bytes);
  void copyOut(void *Host, const void *Device, size_t Bytes) const;
  /// Fills with \p Byte; reading it is an error unless \p MarkInitialised.
  void fill(void *Device, int Byte, size_t Bytes, bool MarkInitialised);

  const std::vector<Report> &reports() const;
  /// Also makes the machine usable again after an aborted launch.
  void clearReports();
  /// Are the bytes around all live buffers as they were?
  bool guardsIntact() const;
  /// What kernels printed, cut after 64 KiB.
  const std::string &printed() const;
  MachineStatistics statistics() const;
  void setSchedule(MachineOptions::Order Schedule, uint64_t Seed);

private:
  struct Loaded;
  explicit Machine(std::unique_ptr<Loaded> Parts);
  std::unique_ptr<Loaded> Parts;
};

} // namespace autokernel::emulator

#endif
