#include "verify/oracle/Twin.h"
#include "verify/oracle/TwinMemory.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

using namespace llvm;
using namespace llvm::orc;

namespace autokernel {

struct Oracle::Jit {
  std::unique_ptr<LLJIT> Session;
  JITDylib *Native = nullptr, *NativeO0 = nullptr, *Twin = nullptr;
};

Oracle::Oracle(std::unique_ptr<Jit> J) : J(std::move(J)) {}
Oracle::~Oracle() { forget(); }

static void *lookup(LLJIT &Session, JITDylib &Library, StringRef Symbol) {
  Expected<ExecutorAddr> Address = Session.lookup(Library, Symbol);
  if (Address)
    return Address->toPtr<void *>();
  consumeError(Address.takeError());
  return nullptr;
}

static Error defineRunTime(LLJIT &Session, JITDylib &Library) {
  const std::pair<StringRef, void *> Entries[] = {
#define ENTRY(Name) {#Name, reinterpret_cast<void *>(&Name)}
      ENTRY(autokernel_twin_load_d),
      ENTRY(autokernel_twin_load_x),
      ENTRY(autokernel_twin_store_d),
      ENTRY(autokernel_twin_store_x),
      ENTRY(autokernel_twin_copy),
      ENTRY(autokernel_twin_clear),
      ENTRY(autokernel_twin_math1_d),
      ENTRY(autokernel_twin_math1_x),
      ENTRY(autokernel_twin_math2_d),
      ENTRY(autokernel_twin_math2_x),
      ENTRY(autokernel_twin_missing),
      ENTRY(autokernel_twin_undecided)
#undef ENTRY
  };
  SymbolMap Symbols;
  for (auto [Name, Address] : Entries)
    Symbols[Session.mangleAndIntern(Name)] = {ExecutorAddr::fromPtr(Address),
                                              JITSymbolFlags::Exported};
  return Library.define(absoluteSymbols(std::move(Symbols)));
}

/// A library of its own for each object: they define the same symbols.
static Expected<JITDylib *> addObject(LLJIT &Session, StringRef Name,
                                      const std::string &Object) {
  Expected<JITDylib &> Library = Session.createJITDylib(Name.str());
  if (!Library)
    return Library.takeError();
  auto Process = DynamicLibrarySearchGenerator::GetForCurrentProcess(
      Session.getDataLayout().getGlobalPrefix());
  if (!Process)
    return Process.takeError();
  Library->addGenerator(std::move(*Process));
  if (Error E = defineRunTime(Session, *Library))
    return E;
  if (Error E = Session.addObjectFile(
          *Library, MemoryBuffer::getMemBufferCopy(Object, Name)))
    return E;
  return &*Library;
}

/// Also where unresolved symbols come to light.
static Error initialise(LLJIT &Session, JITDylib &Library) {
  Expected<ExecutorAddr> Init = Session.lookup(Library, ReferenceInit);
  if (!Init)
    return Init.takeError();
  Init->toPtr<void (*)()>()();
  return Error::success();
}

Expected<std::unique_ptr<Oracle>> Oracle::load(const ReferenceObject &Object) {
  static std::once_flag Once;
  std::call_once(Once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
  std::string Details; // outlives the session, which reports into it
  auto J = std::make_unique<Jit>();
  Expected<std::unique_ptr<LLJIT>> Session = LLJITBuilder().create();
  if (!Session)
    return Session.takeError();
  J->Session = std::move(*Session);
  J->Session->getExecutionSession().setErrorReporter(
      [&](Error E) { Details += toString(std::move(E)) + "; "; });
  const std::tuple<StringRef, const std::string &, JITDylib **> Parts[] = {
      {"native", Object.Native, &J->Native},
      {"native-O0", Object.NativeO0, &J->NativeO0},
      {"twin", Object.Twin, &J->Twin}};
  for (auto &[Name, Bytes, Library] : Parts) {
    Expected<JITDylib *> Added = addObject(*J->Session, Name, Bytes);
    if (!Added)
      return Added.takeError();
    *Library = *Added;
    if (Error E = initialise(*J->Session, **Added))
      return createStringError("the reference does not load: %s%s",
                               Details.c_str(), toString(std::move(E)).c_str());
  }
  J->Session->getExecutionSession().setErrorReporter(
      [](Error E) { consumeError(std::move(E)); });
  return std::unique_ptr<Oracle>(new Oracle(std::move(J)));
}

void *Oracle::native(StringRef Symbol) {
  return lookup(*J->Session, *J->Native, Symbol);
}

void *Oracle::nativeO0(StringRef Symbol) {
  return lookup(*J->Session, *J->NativeO0, Symbol);
}

void *Oracle::twin(StringRef Symbol) {
  return lookup(*J->Session, *J->Twin, Symbol);
}

TwinValue Oracle::shadowOf(const void *Element, unsigned ByteSize) const {
  return twinValueOf(Element, ByteSize);
}

void Oracle::forget() { forgetShadows(); }

uint64_t Oracle::undecided() const { return autokernel_twin_undecided; }

std::vector<std::string> Oracle::incomplete() const {
  return {missingShadows().begin(), missingShadows().end()};
}

} // namespace autokernel
