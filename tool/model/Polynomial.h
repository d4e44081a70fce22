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
#include <optional>
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
/// structure. `known` is false where nothing useful is known. Where `wraps`,
/// the program's value is this one modulo 2^bits of the expression's type.
struct Value {
  bool known = false;
  std::vector<Instr> code;
  Polynomial poly;
  bool wraps = false;
};

/// What a type or a mask says of a value.
struct Bounds {
  int64_t lo, hi;
};

/// Something that is not a sum or product: a quotient, an element of an array.
struct OpaqueValue {
  std::vector<Instr> code;
  std::string key;             // equal keys are equal values in one iteration
  std::set<unsigned> counters; // what it varies with
  bool fromData = false;
  std::optional<Bounds> bounds;
  /// Of `dividend / divisor` and `dividend % divisor`, with a constant > 0.
  Polynomial dividend;
  int64_t divisor = 0;
  bool isRemainder = false;
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
  /// The low `bits` bits of `a`, as an unsigned or signed number.
  Value truncated(const Value &a, unsigned bits, bool isSigned);

  /// What the type of a parameter, or of an array's elements, allows.
  void setBounds(unsigned param, Bounds b) { bounds[param] = b; }
  std::optional<Bounds> boundsOf(const Atom &atom) const;

  const OpaqueValue &opaque(unsigned number) const { return opaques[number]; }
  /// Loops whose counters `poly` depends on.
  std::set<unsigned> countersOf(const Polynomial &poly) const;
  /// Postfix code that computes `poly`.
  std::vector<Instr> codeFor(const Polynomial &poly) const;

private:
  Value opaqueValue(OpaqueValue value);
  bool isFromData(const Polynomial &poly) const;
  std::vector<OpaqueValue> opaques;
  std::map<unsigned, Bounds> bounds;
};

/// "b*T*C + i" with the given names, for messages.
std::string toText(const Polynomial &poly,
                   const std::function<std::string(Atom)> &name);

} // namespace autokernel
