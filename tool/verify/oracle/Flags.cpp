#include "verify/oracle/Frontend.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

using namespace llvm;
namespace opts = clang::options;

namespace autokernel {

static bool isInDroppedGroup(const opt::Option &O) {
  static const unsigned Groups[] = {
      opts::OPT_W_Group,        opts::OPT_M_Group,       opts::OPT_g_Group,
      opts::OPT_O_Group,        opts::OPT_Link_Group,    opts::OPT_R_Group,
      opts::OPT_Action_Group,   opts::OPT_d_Group,       opts::OPT_T_Group,
      opts::OPT_pedantic_Group, opts::OPT_gfortran_Group};
  return any_of(Groups, [&](unsigned G) { return O.matches(G); });
}

static bool isDroppedOption(const opt::Option &O) {
  static const unsigned Ids[] = {
      opts::OPT_INPUT,       opts::OPT_UNKNOWN, opts::OPT_o,
      opts::OPT_include_pch, opts::OPT_x,       opts::OPT_target,
      opts::OPT_m32,         opts::OPT_mx32,    opts::OPT_w,
      opts::OPT_v,           opts::OPT_Xclang,  opts::OPT_pipe,
      opts::OPT_emit_llvm};
  return any_of(Ids, [&](unsigned Id) { return O.matches(Id); });
}

/// Families with many spellings, by prefix.
static bool isDroppedSpelling(StringRef S) {
  static const char *const Prefixes[] = {
      "-fopenmp",   "-fsanitize",     "-fprofile",
      "-fcoverage", "-flto",          "-fplugin",
      "-fmodule",   "-fpch",          "-save-temps",
      "-ftime",     "-fopenacc",      "-fuse-ld",
      "-fcs-",      "-fauto-profile", "-fdebug",
      "-fthinlto",  "-mllvm",         "-fno-integrated-as"};
  return any_of(Prefixes, [&](const char *P) { return S.starts_with(P); });
}

std::vector<std::string> keepArguments(ArrayRef<std::string> Args) {
  SmallVector<const char *, 32> Raw;
  for (const std::string &A : Args)
    Raw.push_back(A.c_str());
  unsigned MissingIndex = 0, MissingCount = 0;
  opt::InputArgList Parsed = clang::getDriverOptTable().ParseArgs(
      Raw, MissingIndex, MissingCount, opt::Visibility(opts::ClangOption));

  std::vector<std::string> Kept;
  for (const opt::Arg *A : Parsed) {
    const opt::Option &O = A->getOption();
    if (O.matches(opts::OPT_Ofast))
      Kept.push_back("-ffast-math");
    if (isInDroppedGroup(O) || isDroppedOption(O) ||
        O.hasFlag(opts::Unsupported) || isDroppedSpelling(A->getSpelling()))
      continue;
    opt::ArgStringList Out;
    A->render(Parsed, Out);
    Kept.insert(Kept.end(), Out.begin(), Out.end());
  }
  return Kept;
}

} // namespace autokernel
