//===- Machine.cpp - loads an object and owns the device ------------------===//

#include "emulator/Machine.h"
#include "emulator/machine/Session.h"
#include "llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include <cstring>

using namespace llvm;
using namespace llvm::orc;

namespace autokernel::emulator {

struct Machine::Loaded {
  std::unique_ptr<ExecutionSession> Session;
  std::unique_ptr<ObjectLinkingLayer> Linker;
  JITDylib *Code = nullptr;
  bool Reserved = false;
  std::string Problems;

  ~Loaded();
  Error link(StringRef Object);
  void *find(StringRef Name) const;
};

Machine::Loaded::~Loaded() {
  if (Session)
    cantFail(Session->endSession());
  if (Reserved)
    releaseMemory();
  TheSession = {};
}

void *Machine::Loaded::find(StringRef Name) const {
  auto Found = Session->lookup({Code}, Name);
  if (Found)
    return Found->getAddress().toPtr<void *>();
  consumeError(Found.takeError());
  return nullptr;
}

// The candidate sees the machine and libm; nothing else of this process.
static SymbolMap offeredSymbols(ExecutionSession &Session) {
  SymbolMap Map;
  for (const NamedAddress &S : allowedSymbols())
    Map[Session.intern(S.Name)] = {ExecutorAddr::fromPtr(S.Address),
                                   JITSymbolFlags::Exported};
  return Map;
}

Error Machine::Loaded::link(StringRef Object) {
  auto Control = SelfExecutorProcessControl::Create();
  if (!Control)
    return Control.takeError();
  Session = std::make_unique<ExecutionSession>(std::move(*Control));
  // What went wrong is reported here, not returned by the lookup that failed.
  Session->setErrorReporter(
      [this](Error E) { Problems += toString(std::move(E)) + "\n"; });
  Linker = std::make_unique<ObjectLinkingLayer>(*Session);
  Code = &Session->createBareJITDylib("candidate");
  if (Error E = Code->define(absoluteSymbols(offeredSymbols(*Session))))
    return E;
  if (Error E = Linker->add(
          *Code, MemoryBuffer::getMemBufferCopy(Object, "candidate")))
    return E;
  for (StringRef Init :
       {"__autokernel_device_init", "__autokernel_host_init"}) {
    auto Found = Session->lookup({Code}, Init);
    if (!Found)
      return createStringError("the candidate doesn't link: " +
                               toString(Found.takeError()) + "\n" + Problems);
    Found->getAddress().toPtr<void (*)()>()();
  }
  TheSession.CheckedObject =
      TheSession.Options.Check && find("__autokernel_checked");
  return Error::success();
}

Machine::Machine(std::unique_ptr<Loaded> Parts) : Parts(std::move(Parts)) {}
Machine::~Machine() = default;

Expected<std::unique_ptr<Machine>>
Machine::load(StringRef Object, const MachineOptions &Options) {
  static bool Trapped = false;
  TheSession = {};
  TheSession.Options = Options;
  auto Parts = std::make_unique<Loaded>();
  if (Error E = reserveMemory())
    return E;
  Parts->Reserved = true;
  if (!Trapped)
    installTraps();
  Trapped = true;
  if (Error E = Parts->link(Object))
    return E;
  resetShared(AK_DEVICE_BASE);
  return std::unique_ptr<Machine>(new Machine(std::move(Parts)));
}

void *Machine::symbol(StringRef Name) const { return Parts->find(Name); }

Expected<void *> Machine::allocate(size_t Bytes, StringRef Name,
                                   size_t MisalignBy) {
  auto At = allocateDevice(Bytes, Name, MisalignBy);
  if (!At)
    return At.takeError();
  return reinterpret_cast<void *>(*At);
}

void Machine::release(void *Device) {
  releaseDevice(reinterpret_cast<uint64_t>(Device));
}

void Machine::copyIn(void *Device, const void *Host, size_t Bytes) {
  memcpy(Device, Host, Bytes);
  setShadow(reinterpret_cast<uint64_t>(Device), Bytes, AK_HOST_WRITTEN);
}

void Machine::copyOut(void *Host, const void *Device, size_t Bytes) const {
  memcpy(Host, Device, Bytes);
}

void Machine::fill(void *Device, int Byte, size_t Bytes, bool MarkInitialised) {
  memset(Device, Byte, Bytes);
  setShadow(reinterpret_cast<uint64_t>(Device), Bytes,
            MarkInitialised ? AK_HOST_WRITTEN : AK_UNINITIALISED);
}

const std::vector<Report> &Machine::reports() const {
  return TheSession.Reports;
}

void Machine::clearReports() {
  TheSession.Reports.clear();
  TheSession.Findings = 0;
  TheSession.Printed.clear();
  TheSession.Dead = false;
  TheSession.LastError = 0;
}

bool Machine::guardsIntact() const { return emulator::guardsIntact(); }
const std::string &Machine::printed() const { return TheSession.Printed; }
MachineStatistics Machine::statistics() const { return TheSession.Statistics; }

void Machine::setSchedule(MachineOptions::Order Schedule, uint64_t Seed) {
  TheSession.Options.Schedule = Schedule;
  TheSession.Options.Seed = Seed;
}

} // namespace autokernel::emulator
