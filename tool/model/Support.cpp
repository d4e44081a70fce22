#include "model/Support.h"

#include "model/Callees.h"
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
  for (const auto &[name, type] : state.typeArguments)
    lines[name] = type.spelling;
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
  const llvm::APFloat &number = value->getFloat();
  if (!number.isFinite())
    return std::string(number.isNegative() ? "-" : "") +
           (number.isNaN() ? "NAN" : "INFINITY");
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%.17g", number.convertToDouble());
  if (text.find_first_of(".en") == std::string::npos)
    text += ".0";
  return text + (type.bits == 32 ? "f" : "");
}

/// One definition of a constant, without its qualifier.
static std::string constant(const RegionState &state, const ValueDecl *decl,
                            const std::string &name, const char *qualifier) {
  if (const auto *e = dyn_cast<EnumConstantDecl>(decl)) {
    llvm::SmallString<32> digits;
    e->getInitVal().toString(digits, 10);
    return "enum { " + name + " = " + digits.str().str() + " };\n";
  }
  const auto *v = cast<VarDecl>(decl);
  auto type = elementType(state.unit.context, v->getType());
  return type ? std::string(qualifier) + " " + type->spelling + " " + name +
                    " = " + literal(v, *type) + ";\n"
              : "";
}

static std::string constants(const RegionState &state, const char *qualifier) {
  std::string out;
  for (const auto &[name, typed] : state.valueArguments)
    out += std::string(qualifier) + " " + typed.first.spelling + " " + name +
           " = " + typed.second + ";\n";
  for (const ValueDecl *decl : state.constants) {
    if (state.plainConstants.count(decl))
      out += constant(state, decl, decl->getNameAsString(), qualifier);
    auto scoped = state.scopedConstants.find(decl);
    if (scoped != state.scopedConstants.end())
      out += constant(state, decl, scoped->second, qualifier);
  }
  return out;
}

std::string deviceSupport(const RegionState &state) {
  std::string out = typedefs(state) + constants(state, "constexpr");
  if (state.needsMinMax)
    out += MinMaxHelpers;
  return out + deviceFunctions(state);
}

std::string referenceSupport(const RegionState &state) {
  return typedefs(state) + constants(state, "static const") +
         referenceFunctions(state);
}

} // namespace autokernel
