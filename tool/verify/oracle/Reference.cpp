#include "verify/oracle/Reference.h"
#include "verify/oracle/Codegen.h"
#include "verify/oracle/Frontend.h"
#include "verify/oracle/TwinPass.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace autokernel {

/// Nothing here rewrites float arithmetic or turns float copies into integer
/// ones; scalars come out of memory so that shadows are values, too.
static constexpr char BeforeShadows[] =
    "function(lower-invoke),always-inline,globaldce,"
    "function(sroa,scalarizer<load-store>,simplifycfg,early-cse,dce)";

static Error addShadows(Module &M, TargetMachine &Target) {
  prepareForShadows(M);
  if (Error E = optimise(M, Target, BeforeShadows))
    return E;
  instrumentShadows(M);
  return optimise(M, Target, "default<O2>");
}

static Expected<std::string> compileFlavour(const ReferenceSource &Source,
                                            Flavour F) {
  LLVMContext Context;
  auto M = emitModule(Source, F, Context);
  if (!M)
    return M.takeError();
  Function *Entry = (*M)->getFunction(ReferenceEntry);
  if (!Entry || Entry->isDeclaration())
    return createStringError("the reference %s does not define %s",
                             Source.FileName.c_str(), ReferenceEntry);
  auto Target = makeTargetMachine(**M, F != Flavour::NativeO0);
  if (!Target)
    return Target.takeError();
  makeLoadable(**M);
  if (F == Flavour::Twin)
    if (Error E = addShadows(**M, **Target))
      return E;
  return emitObject(**M, **Target);
}

Expected<ReferenceObject> compileReference(const ReferenceSource &Source) {
  ReferenceObject Result;
  const std::pair<Flavour, std::string *> Wanted[] = {
      {Flavour::Native, &Result.Native},
      {Flavour::NativeO0, &Result.NativeO0},
      {Flavour::Twin, &Result.Twin}};
  for (auto [F, Object] : Wanted) {
    Expected<std::string> Bytes = compileFlavour(Source, F);
    if (!Bytes)
      return Bytes.takeError();
    *Object = std::move(*Bytes);
  }
  return Result;
}

} // namespace autokernel
