#include "model/MathCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace autokernel {

const char *const MinMaxHelpers =
    R"(// Compare as std::min, std::max and std::clamp do, also for NaN.
template <class T> __device__ T autokernel_min(T a, T b) { return b < a ? b : a; }
template <class T> __device__ T autokernel_max(T a, T b) { return a < b ? b : a; }
template <class T> __device__ T autokernel_clamp(T v, T lo, T hi) { return v < lo ? lo : hi < v ? hi : v; }
)";

static bool isFloatFunction(llvm::StringRef base) {
  static const llvm::StringSet<> names = {
      "sqrt",  "cbrt",   "exp",       "exp2",  "expm1",     "log",
      "log2",  "log10",  "log1p",     "pow",   "sin",       "cos",
      "tan",   "asin",   "acos",      "atan",  "atan2",     "sinh",
      "cosh",  "tanh",   "asinh",     "acosh", "atanh",     "erf",
      "erfc",  "tgamma", "lgamma",    "hypot", "fabs",      "fmin",
      "fmax",  "fdim",   "fma",       "floor", "ceil",      "trunc",
      "round", "rint",   "nearbyint", "fmod",  "remainder", "copysign"};
  return names.contains(base);
}

static bool isFloat(QualType type) {
  return type.getCanonicalType().getUnqualifiedType()->isSpecificBuiltinType(
      BuiltinType::Float);
}

static bool isDouble(QualType type) {
  return type.getCanonicalType().getUnqualifiedType()->isSpecificBuiltinType(
      BuiltinType::Double);
}

static bool isFromOutside(const FunctionDecl *function) {
  if (function->getBuiltinID())
    return true;
  const SourceManager &sources = function->getASTContext().getSourceManager();
  return sources.isInSystemHeader(function->getLocation());
}

/// Every argument, as written, has the type that the call computes in.
static bool argumentsAre(const CallExpr *call, bool single) {
  for (const Expr *arg : call->arguments()) {
    QualType type = arg->IgnoreParenImpCasts()->getType();
    if (single ? !isFloat(type) : !isDouble(type))
      return false;
  }
  return true;
}

static std::optional<MathCall> floatCall(const CallExpr *call,
                                         const FunctionDecl *function,
                                         llvm::StringRef base) {
  bool single = isFloat(call->getType());
  if (!single && !isDouble(call->getType()))
    return std::nullopt;
  for (const ParmVarDecl *param : function->parameters())
    if (!param->getType()->isArithmeticType())
      return std::nullopt;
  MathCall result;
  result.name = base.str() + (single ? "f" : "");
  if (!argumentsAre(call, single))
    result.castArguments = single ? "float" : "double";
  return result;
}

static std::optional<MathCall> minMaxCall(const CallExpr *call,
                                          llvm::StringRef name) {
  if (call->getNumArgs() != (name == "clamp" ? 3 : 2) ||
      !call->getType()->isArithmeticType())
    return std::nullopt;
  return MathCall{"autokernel_" + name.str(), "", true};
}

std::optional<MathCall> resolveMathCall(const CallExpr *call) {
  const FunctionDecl *function = call->getDirectCallee();
  if (!function || !function->getIdentifier() || !isFromOutside(function))
    return std::nullopt;
  llvm::StringRef name = function->getName();
  name.consume_front("__builtin_");
  if ((name == "min" || name == "max" || name == "clamp") &&
      function->isInStdNamespace())
    return minMaxCall(call, name);
  if (name == "abs" || name == "labs" || name == "llabs") {
    // In C their arguments are converted first, floating-point ones too.
    if (call->getType()->isIntegerType()) {
      PrintingPolicy policy(function->getASTContext().getLangOpts());
      QualType type = call->getType().getCanonicalType().getUnqualifiedType();
      QualType given =
          call->getArg(0)->IgnoreParenImpCasts()->getType().getCanonicalType();
      bool same = given.getUnqualifiedType() == type;
      return MathCall{name.str(), same ? "" : type.getAsString(policy), false};
    }
    name = "fabs";
  }
  if (name == "isnan" || name == "isinf" || name == "isfinite" ||
      name == "signbit")
    return MathCall{name.str(), "", false};
  if (name == "inff" || name == "huge_valf")
    return MathCall{"INFINITY", "", false, true};
  if (name == "inf" || name == "huge_val")
    return MathCall{"static_cast<double>(INFINITY)", "", false, true};
  if (name == "nanf" || name == "nan")
    return MathCall{name == "nan" ? "static_cast<double>(NAN)" : "NAN", "",
                    false, true};
  if (isFloatFunction(name))
    return floatCall(call, function, name);
  if (name.ends_with("f") && isFloatFunction(name.drop_back()))
    return floatCall(call, function, name.drop_back());
  return std::nullopt;
}

} // namespace autokernel
