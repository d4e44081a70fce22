#include "scan/Arguments.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"

#include <cstdlib>

using llvm::StringRef;

namespace autokernel {

std::string clangResourceDir() {
  if (const char *dir = std::getenv("AUTOKERNEL_RESOURCE_DIR"))
    return dir;
  return AUTOKERNEL_RESOURCE_DIR;
}

/// Flags followed by a separate value that are dropped with it.
static bool dropsNext(StringRef flag) {
  static const llvm::StringSet<> flags = {
      "-o", "-MF", "-MT", "-MQ", "-include-pch", "-x", "--param", "-aux-info"};
  return flags.contains(flag);
}

static bool isKept(StringRef flag) {
  static const StringRef exact[] = {"-pthread",    "-nostdinc",   "-nostdinc++",
                                    "-ansi",       "-ffast-math", "-fopenmp",
                                    "-nostdlibinc"};
  for (StringRef e : exact)
    if (flag == e)
      return true;
  static const StringRef prefixes[] = {
      "-I",        "-D",         "-U",       "-std=",       "-isystem",
      "-iquote",   "-idirafter", "-include", "-imacros",    "-m32",
      "-m64",      "-march=",    "-target",  "--target=",   "--sysroot",
      "-isysroot", "-stdlib=",   "-iprefix", "-iwithprefix"};
  for (StringRef p : prefixes)
    if (flag.starts_with(p))
      return true;
  static const StringRef floats[] = {"-ffp-contract",
                                     "-fno-fast-math",
                                     "-funsafe-math",
                                     "-fassociative-math",
                                     "-ffinite-math",
                                     "-fno-finite-math",
                                     "-fsigned-char",
                                     "-funsigned-char",
                                     "-fno-signed-zeros",
                                     "-fwrapv",
                                     "-fno-exceptions",
                                     "-fno-rtti",
                                     "-fchar8_t",
                                     "-fno-builtin",
                                     "-freciprocal-math",
                                     "-fshort-enums",
                                     "-fms-extensions",
                                     "-fexceptions",
                                     "-frtti",
                                     "-fno-math-errno",
                                     "-fmath-errno"};
  for (StringRef p : floats)
    if (flag.starts_with(p))
      return true;
  return flag.starts_with("-O");
}

/// Flags whose value may be the next argument.
static bool takesNext(StringRef flag) {
  static const llvm::StringSet<> flags = {
      "-I",       "-D",         "-U",       "-isystem",  "-iquote",  "-target",
      "-include", "-idirafter", "-imacros", "-isysroot", "--sysroot"};
  return flags.contains(flag);
}

static StringRef normalised(StringRef flag) {
  // -Ofast means fast math to every compiler; Clang wants it said.
  return flag == "-Ofast" ? "-ffast-math" : flag;
}

std::vector<std::string>
adjustedArguments(const std::vector<std::string> &command,
                  const std::string &source) {
  std::vector<std::string> out = {command.empty() ? "clang" : command[0]};
  bool isC = StringRef(source).ends_with(".c");
  out[0] = isC ? "clang" : "clang++";
  for (size_t i = 1; i < command.size(); ++i) {
    StringRef flag = command[i];
    if (flag == "--")
      break;
    if (dropsNext(flag)) {
      ++i;
    } else if (takesNext(flag) && i + 1 < command.size()) {
      out.push_back(flag.str());
      out.push_back(command[++i]);
    } else if (isKept(flag)) {
      out.push_back(normalised(flag).str());
    }
  }
  out.insert(out.end(), {"-fsyntax-only", "-w", "-Wno-error",
                         "-resource-dir=" + clangResourceDir(), source});
  return out;
}

} // namespace autokernel
