#include "model/Support.h"

#include "model/MathCalls.h"

#include "clang/AST/ASTContext.h"
#include "llvm/Support/Format.h"

using namespace clang;

namespace autokernel {

static std::string typedefs(const RegionState &state) {
  std::map<std::string, std::string> lines; // sorted by name
  for (const TypedefNameDecl *alias : state.typedefs) {
    if (state.sources.isInSystemHeader(alias->getLocation()))
      continue;
    auto type = elementType(state.unit.context, alias->getUnderlyingType());
    if (type)
      lines[alias->getNameAsString()] = type->spelling;
  }
  std::string out;
  for (const auto &[name, type] : lines)
    out += "typedef " + type + " " + name + ";\n";
  return out;
}

static std::string literal(const VarDecl *v, const ElementType &type) {
  const APValue *value = v->evaluateValue();
  if (value->isInt()) {
    llvm::SmallString<32> digits;
    value->getInt().toString(digits, 10);
    return digits.str().str();
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%.17g", value->getFloat().convertToDouble());
  if (text.find_first_of(".en") == std::string::npos)
    text += ".0";
  return text + (type.bits == 32 ? "f" : "");
}

static std::string constants(const RegionState &state, const char *qualifier) {
  std::string out;
  for (const VarDecl *v : state.constants) {
    auto type = elementType(state.unit.context, v->getType());
    if (type)
      out += std::string(qualifier) + " " + type->spelling + " " +
             v->getNameAsString() + " = " + literal(v, *type) + ";\n";
  }
  for (const EnumConstantDecl *e : state.enumerators) {
    llvm::SmallString<32> digits;
    e->getInitVal().toString(digits, 10);
    out +=
        "enum { " + e->getNameAsString() + " = " + digits.str().str() + " };\n";
  }
  return out;
}

std::string deviceSupport(const RegionState &state) {
  std::string out = typedefs(state) + constants(state, "constexpr");
  if (state.needsMinMax)
    out += MinMaxHelpers;
  return out;
}

std::string referenceSupport(const RegionState &state) {
  return typedefs(state) + constants(state, "static const");
}

} // namespace autokernel
