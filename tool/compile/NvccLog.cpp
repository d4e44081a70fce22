#include "compile/Nvcc.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace autokernel {

static unsigned number(StringRef Digits) {
  unsigned N = 0;
  Digits.getAsInteger(10, N);
  return N;
}

/// Mangled names inside a message become readable.
static std::string readable(StringRef Message) {
  std::string Result;
  size_t Quote;
  while ((Quote = Message.find("'_Z")) != StringRef::npos) {
    size_t End = Message.find('\'', Quote + 1);
    if (End == StringRef::npos)
      break;
    Result += Message.substr(0, Quote + 1);
    Result += demangle(Message.slice(Quote + 1, End));
    Message = Message.drop_front(End);
  }
  return Result + Message.str();
}

/// file(3): error: ..., file(3): warning #177-D: ... (nvcc's front end);
/// file:2:10: fatal error: ... (host compiler);
/// ptxas file.ptx, line 20; error   : ...; ptxas error   : ...
static bool parseDiagnostic(StringRef Line, NvccResult &Result) {
  static const Regex Front(
      "^(.+)\\(([0-9]+)\\): (catastrophic error|error|warning)[^:]*: (.*)$");
  static const Regex Host(
      "^(.+):([0-9]+):[0-9]+: (fatal error|error|warning): (.*)$");
  static const Regex Assembler(
      "^ptxas( .*, line [0-9]+;)? *(error|fatal|warning) *: (.*)$");
  SmallVector<StringRef, 5> M;
  NvccDiagnostic D;
  if (Front.match(Line, &M) || Host.match(Line, &M)) {
    D = {sys::path::filename(M[1]).str(), number(M[2]), M[3] != "warning",
         M[4].str()};
  } else if (Assembler.match(Line, &M)) {
    D = {"", 0, M[2] != "warning", "ptxas: " + readable(M[3])};
  } else {
    return false;
  }
  Result.Diagnostics.push_back(std::move(D));
  return true;
}

static void parseUsage(StringRef Line, KernelResources &K) {
  static const std::pair<const char *, unsigned KernelResources::*> Fields[] = {
      {"Used ([0-9]+) registers", &KernelResources::Registers},
      {"used ([0-9]+) barriers", &KernelResources::Barriers},
      {"([0-9]+) bytes stack frame", &KernelResources::StackBytes},
      {"([0-9]+) bytes spill stores", &KernelResources::SpillStoreBytes},
      {"([0-9]+) bytes spill loads", &KernelResources::SpillLoadBytes},
      {"([0-9]+)(\\+[0-9]+)? bytes smem", &KernelResources::SharedBytes},
      {"([0-9]+) bytes cmem\\[0\\]", &KernelResources::ConstantBytes}};
  SmallVector<StringRef, 3> M;
  for (auto [Pattern, Field] : Fields)
    if (Regex(Pattern).match(Line, &M))
      K.*Field = number(M[1]);
}

void parseNvccLog(StringRef Log, NvccResult &Result) {
  static const Regex Entry("Compiling entry function '([^']+)' for '([^']+)'");
  static const Regex Other("Function properties for ([^ ]+)$");
  std::string Current; // mangled entry whose lines follow
  bool Inside = false;
  SmallVector<StringRef, 64> Lines;
  Log.split(Lines, '\n');
  for (StringRef Line : Lines) {
    SmallVector<StringRef, 3> M;
    Line = Line.rtrim();
    if (Entry.match(Line, &M)) {
      Current = M[1].str();
      Inside = true;
      Result.Kernels.emplace_back();
      Result.Kernels.back().Kernel = demangle(Current);
      Result.Kernels.back().Architecture = M[2].str();
    } else if (Other.match(Line, &M)) {
      Inside = M[1] == Current; // else a device function that wasn't inlined
    } else if (!parseDiagnostic(Line, Result) && !Result.Kernels.empty()) {
      if (Line.contains("Used "))
        Inside = true;
      if (Inside)
        parseUsage(Line, Result.Kernels.back());
    }
  }
}

} // namespace autokernel
