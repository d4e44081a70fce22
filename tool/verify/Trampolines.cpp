#include "verify/Trampolines.h"

#include "llvm/ADT/StringRef.h"

namespace autokernel {

/// The declaration without its name: "float (*)[40]".
static std::string pointerType(const Param &p) {
  std::string type = p.declaration;
  size_t at = type.find("*" + p.name);
  if (at == std::string::npos)
    return p.type.spelling + " *";
  return type.erase(at + 1, p.name.size());
}

static std::string argument(const std::string &type, size_t i) {
  // "T" of a pointer-to-array type goes through an alias.
  return "*(autokernel_type_" + std::to_string(i) + " *)args[" +
         std::to_string(i) + "]" + (type.empty() ? "" : "");
}

static std::string alias(const std::string &type, size_t i) {
  std::string name = "autokernel_type_" + std::to_string(i), text = type;
  size_t at = text.find("(*)");
  if (at != std::string::npos)
    return "typedef " + text.insert(at + 2, name) + ";\n";
  return "typedef " + text + " " + name + ";\n";
}

static std::string referenceType(const Param &p) {
  if (p.isArray)
    return pointerType(p);
  return p.type.spelling + (p.role == Role::In ? "" : " *");
}

std::string referenceWithEntry(const Contract &c,
                               const std::string &reference) {
  std::string aliases, list;
  for (size_t i = 0; i < c.params.size(); ++i) {
    std::string type = referenceType(c.params[i]);
    aliases += alias(type, i);
    list += (i ? ", " : "") + argument(type, i);
  }
  return reference + "\n" + aliases + (c.isC ? "" : "extern \"C\" ") +
         "void autokernel_reference_call(void **args) {\n  "
         "autokernel_reference(" +
         list + ");\n}\n";
}

std::vector<std::pair<std::string, std::string>>
launcherParameters(const Contract &c) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Param &p : c.params) {
    std::string type = p.type.spelling, name = p.name;
    if (p.isArray)
      type = (p.role == Role::In ? "const " : "") + type + " *";
    else if (p.role != Role::In) {
      type += " *";
      name += "_result";
    }
    out.push_back({type, name});
  }
  return out;
}

std::string candidateWithEntry(const Contract &c, const std::string &source) {
  std::string aliases, list, scalars;
  auto parameters = launcherParameters(c);
  for (size_t i = 0; i < parameters.size(); ++i) {
    aliases += alias(parameters[i].first, i);
    list += argument(parameters[i].first, i) + ", ";
    if (!c.params[i].isArray && c.params[i].role == Role::In)
      scalars += (scalars.empty() ? "" : ", ") + argument("", i);
  }
  std::string symbol = "autokernel_" + c.id;
  bool hasWorkspace = llvm::StringRef(source).contains(symbol + "_workspace");
  return source + "\n" + aliases + "extern \"C\" int " + CandidateEntry +
         "(void **args, void *workspace, size_t bytes, cudaStream_t stream) "
         "{\n  return (int)" +
         symbol + "(" + list +
         "workspace, bytes, stream);\n}\nextern \"C\" size_t " +
         CandidateWorkspace + "(void **args) {\n  (void)args;\n  return " +
         (hasWorkspace ? symbol + "_workspace(" + scalars + ")" : "0") +
         ";\n}\n";
}

} // namespace autokernel
