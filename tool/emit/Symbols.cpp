#include "emit/Symbols.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace autokernel {

static std::string hexHash(llvm::StringRef text, unsigned digits) {
  uint64_t hash = llvm::xxh3_64bits(text);
  return llvm::utohexstr(hash >> (64 - 4 * digits), /*LowerCase=*/true, digits);
}

std::string symbolSuffix(const EmitItem &item) {
  return hexHash(item.contract.fingerprint + "+" + item.kernelDigest, 12);
}

std::string dispatchName(const EmitItem &item) {
  return "autokernel_dispatch_" + item.contract.id + "_" + symbolSuffix(item);
}

std::string compareName(const EmitItem &item) {
  return "autokernel_compare_" + item.contract.id + "_" + symbolSuffix(item);
}

std::string launcherName(const EmitItem &item, llvm::StringRef headerPath) {
  return "autokernel_" + item.contract.id + "_" + symbolSuffix(item) + "_" +
         hexHash(headerPath, 8);
}

/// Pointers are void, so that every array and enumeration the user may have
/// converts by itself, in C and in C++.
static std::string declared(const Param &p) {
  if (p.isArray && p.role == Role::In)
    return "const void *";
  if (p.isArray || p.role != Role::In)
    return "void *";
  return p.type.kind == ElementType::Bool ? "unsigned char "
                                          : p.type.spelling + " ";
}

std::string declaredParams(const EmitItem &item) {
  std::string text;
  for (size_t i = 0; i < item.contract.params.size(); ++i)
    text += (i ? ", " : "") + declared(item.contract.params[i]) + "p" +
            std::to_string(i);
  return text.empty() ? "void" : text;
}

std::string passedArguments(const EmitItem &item) {
  std::string text;
  for (const Param &p : item.contract.params) {
    const std::string &argument = p.argument.empty() ? p.name : p.argument;
    bool byAddress = !p.isArray && p.role != Role::In;
    text += text.empty() ? "" : ", ";
    text += byAddress ? "&(" + argument + ")" : argument;
  }
  return text;
}

std::string quoted(llvm::StringRef text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

} // namespace autokernel
