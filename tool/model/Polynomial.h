// Integer polynomials over scalar parameters, loop counters and opaque values.
//
// Subscripts such as b*T*C + t*C + i are not affine in the parameters; as
// polynomials they can be taken apart into strides and subscripts again (see
// Dependence.h). Surface: Atom, Polynomial, Value (a polynomial beside the code
// that computes it).
#pragma once

#include "Types.h"

#include <functional>
#include <map>
#include <set>
#include <vector>

namespace autokernel {

struct Atom {
  enum Kind { Param, Counter, Opaque } kind;
  unsigned number;
  auto operator<=>(const Atom &) const = default;
};

/// A product of atoms, sorted.
using Monomial = std::vector<Atom>;

struct Polynomial {
  std::map<Monomial, int64_t> terms;

  static Polynomial constant(int64_t value);
  static Polynomial atom(Atom a);
  bool isConstant() const;
  int64_t constantTerm() const;
  bool operator==(const Polynomial &) const = default;
};

Polynomial operator+(const Polynomial &a, const Polynomial &b);
Polynomial operator-(const Polynomial &a, const Polynomial &b);
Polynomial operator*(const Polynomial &a, const Polynomial &b);

/// An integer value of the program: code for its bounds, polynomial for its
/// structure. `known` is false where nothing useful is known.
struct Value {
  bool known = false;
  std::vector<Instr> code;
  Polynomial poly;
};

/// Something that is not a sum or product: a quotient, an element of an array.
struct OpaqueValue {
  std::vector<Instr> code;
  std::string key;             // equal keys are equal values in one iteration
  std::set<unsigned> counters; // what it varies with
  bool fromData = false;
};

/// Makes Values and remembers the opaque ones.
class ValueTable {
public:
  Value constant(int64_t v) const;
  Value param(unsigned number) const;
  Value counter(unsigned loop) const;
  Value unknown() const { return {}; }
  Value combine(Op op, const Value &a, const Value &b);
  Value negate(const Value &a) const;
  /// An element of array parameter `array` at `index`.
  Value element(unsigned array, const Value &index);

  const OpaqueValue &opaque(unsigned number) const { return opaques[number]; }
  /// Loops whose counters `poly` depends on.
  std::set<unsigned> countersOf(const Polynomial &poly) const;
  /// Postfix code that computes `poly`.
  std::vector<Instr> codeFor(const Polynomial &poly) const;

private:
  Value opaqueValue(std::vector<Instr> code, const std::string &key,
                    std::set<unsigned> counters, bool fromData);
  std::vector<OpaqueValue> opaques;
};

/// "b*T*C + i" with the given names, for messages.
std::string toText(const Polynomial &poly,
                   const std::function<std::string(Atom)> &name);

} // namespace autokernel
