// Reduction operators: their names, expressions and identities in kernels.

#include "generate/Plan.h"

namespace autokernel {

std::string operatorName(const std::string &op) {
  static const std::pair<const char *, const char *> names[] = {
      {"+", "Sum"},    {"*", "Product"}, {"min", "Minimum"}, {"max", "Maximum"},
      {"&", "BitAnd"}, {"|", "BitOr"},   {"^", "BitXor"}};
  for (const auto &[o, name] : names)
    if (op == o)
      return name;
  llvm_unreachable("the model names no other operator");
}

std::string combineExpression(const std::string &op) {
  if (op == "min")
    return "b < a ? b : a";
  if (op == "max")
    return "a < b ? b : a";
  return "a " + op + " b";
}

ElementType accumulatorOf(const Reduction &r) {
  if (r.type.kind != ElementType::Int || r.type.bits < 32 ||
      (r.op != "+" && r.op != "*"))
    return r.type;
  return {ElementType::UInt, r.type.bits,
          r.type.bits == 32 ? "unsigned" : "unsigned long long"};
}

std::string fromAccumulator(const Reduction &r, const std::string &value) {
  if (accumulatorOf(r) == r.type)
    return value;
  return "static_cast<" + r.type.spelling + ">(" + value + ")";
}

static std::string extremeOf(const ElementType &type, bool largest) {
  if (type.kind == ElementType::Float)
    return largest ? "INFINITY" : "-INFINITY";
  bool isSigned = type.kind == ElementType::Int;
  if (!isSigned && !largest)
    return "0";
  unsigned bits = type.bits - (isSigned ? 1 : 0);
  std::string max = bits == 64 ? "18446744073709551615ull"
                               : std::to_string((uint64_t(1) << bits) - 1) +
                                     (bits == 63   ? "ll"
                                      : bits == 32 ? "u"
                                                   : "");
  return largest ? max : "-" + max + " - 1";
}

std::string identityOf(const Reduction &r) {
  if (r.op == "min" || r.op == "max")
    return extremeOf(r.type, r.op == "min");
  if (r.op == "*")
    return "1";
  if (r.op == "+" && r.type.kind == ElementType::Float)
    return r.type.bits == 32 ? "-0.0f" : "-0.0"; // -0 + x is x, 0 + -0 is not
  return r.op == "&" ? "static_cast<" + r.type.spelling + ">(-1)" : "0";
}

} // namespace autokernel
