#include "model/Polynomial.h"

#include <algorithm>

namespace autokernel {

Polynomial Polynomial::constant(int64_t value) {
  Polynomial p;
  if (value)
    p.terms[{}] = value;
  return p;
}

Polynomial Polynomial::atom(Atom a) {
  Polynomial p;
  p.terms[{a}] = 1;
  return p;
}

bool Polynomial::isConstant() const {
  return terms.empty() || (terms.size() == 1 && terms.begin()->first.empty());
}

int64_t Polynomial::constantTerm() const {
  auto it = terms.find({});
  return it == terms.end() ? 0 : it->second;
}

static void addTerm(Polynomial &p, const Monomial &m, int64_t c) {
  int64_t &slot = p.terms[m];
  // Wrapping is harmless here: such subscripts overflow in the program too.
  slot = int64_t(uint64_t(slot) + uint64_t(c));
  if (slot == 0)
    p.terms.erase(m);
}

Polynomial operator+(const Polynomial &a, const Polynomial &b) {
  Polynomial r = a;
  for (const auto &[m, c] : b.terms)
    addTerm(r, m, c);
  return r;
}

Polynomial operator-(const Polynomial &a, const Polynomial &b) {
  Polynomial r = a;
  for (const auto &[m, c] : b.terms)
    addTerm(r, m, -c);
  return r;
}

Polynomial operator*(const Polynomial &a, const Polynomial &b) {
  Polynomial r;
  for (const auto &[ma, ca] : a.terms)
    for (const auto &[mb, cb] : b.terms) {
      Monomial m = ma;
      m.insert(m.end(), mb.begin(), mb.end());
      std::sort(m.begin(), m.end());
      addTerm(r, m, int64_t(uint64_t(ca) * uint64_t(cb)));
    }
  return r;
}

/// Equal keys for equal values, whatever way they were computed.
static std::string keyOf(const Polynomial &poly) {
  return toText(
      poly, [](Atom a) { return "pco"[a.kind] + std::to_string(a.number); });
}

static std::vector<Instr> joined(const Value &a, const Value &b, Op op) {
  std::vector<Instr> code = a.code;
  code.insert(code.end(), b.code.begin(), b.code.end());
  code.push_back({op, 0});
  return code;
}

Value ValueTable::constant(int64_t v) const {
  return {true, {{Op::Const, v}}, Polynomial::constant(v)};
}

Value ValueTable::param(unsigned n) const {
  return {true, {{Op::Param, n}}, Polynomial::atom({Atom::Param, n})};
}

Value ValueTable::counter(unsigned n) const {
  return {true, {{Op::Counter, n}}, Polynomial::atom({Atom::Counter, n})};
}

Value ValueTable::negate(const Value &a) const {
  if (!a.known)
    return {};
  Value r{true, a.code, Polynomial::constant(0) - a.poly, a.wraps};
  r.code.push_back({Op::Neg, 0});
  return r;
}

Value ValueTable::opaqueValue(OpaqueValue value) {
  unsigned n = 0;
  while (n < opaques.size() && opaques[n].key != value.key)
    ++n;
  if (n == opaques.size())
    opaques.push_back(value);
  return {true, std::move(value.code), Polynomial::atom({Atom::Opaque, n})};
}

bool ValueTable::isFromData(const Polynomial &poly) const {
  for (const auto &[m, c] : poly.terms)
    for (const Atom &a : m)
      if (a.kind == Atom::Opaque && opaques[a.number].fromData)
        return true;
  return false;
}

std::optional<Bounds> ValueTable::boundsOf(const Atom &atom) const {
  if (atom.kind == Atom::Opaque)
    return opaques[atom.number].bounds;
  auto it = atom.kind == Atom::Param ? bounds.find(atom.number) : bounds.end();
  return it == bounds.end() ? std::nullopt : std::optional(it->second);
}

std::set<unsigned> ValueTable::countersOf(const Polynomial &poly) const {
  std::set<unsigned> result;
  for (const auto &[m, c] : poly.terms)
    for (const Atom &a : m) {
      if (a.kind == Atom::Counter)
        result.insert(a.number);
      if (a.kind == Atom::Opaque)
        result.insert(opaques[a.number].counters.begin(),
                      opaques[a.number].counters.end());
    }
  return result;
}

static std::optional<int64_t> fold(Op op, int64_t a, int64_t b) {
  switch (op) {
  case Op::Div:
    return b == 0 || b == -1 ? std::nullopt : std::optional(a / b);
  case Op::Rem:
    return b == 0 || b == -1 ? std::nullopt : std::optional(a % b);
  case Op::Min:
    return std::min(a, b);
  case Op::Max:
    return std::max(a, b);
  case Op::Shl:
    return b < 0 || b > 40 ? std::nullopt : std::optional(a << b);
  case Op::Shr:
    return b < 0 || b > 62 ? std::nullopt : std::optional(a >> b);
  case Op::And:
    return a & b;
  default:
    return std::nullopt;
  }
}

Value ValueTable::combine(Op op, const Value &a, const Value &b) {
  if (!a.known || !b.known)
    return {};
  std::vector<Instr> code = joined(a, b, op);
  bool wraps = a.wraps || b.wraps;
  if (op == Op::Add)
    return {true, std::move(code), a.poly + b.poly, wraps};
  if (op == Op::Sub)
    return {true, std::move(code), a.poly - b.poly, wraps};
  if (op == Op::Mul)
    return {true, std::move(code), a.poly * b.poly, wraps};
  if (a.poly.isConstant() && b.poly.isConstant())
    if (auto c = fold(op, a.poly.constantTerm(), b.poly.constantTerm()))
      return constant(*c);
  if (op == Op::Shl && b.poly.isConstant() && b.poly.constantTerm() >= 0 &&
      b.poly.constantTerm() < 40)
    return {true, std::move(code),
            a.poly * Polynomial::constant(int64_t(1) << b.poly.constantTerm()),
            wraps};
  std::set<unsigned> counters = countersOf(a.poly), more = countersOf(b.poly);
  counters.insert(more.begin(), more.end());
  std::string key = std::to_string(int(op)) + "(" + keyOf(a.poly) + ", " +
                    keyOf(b.poly) + ")";
  OpaqueValue value{std::move(code), key, std::move(counters),
                    isFromData(a.poly) || isFromData(b.poly), std::nullopt};
  if ((op == Op::Div || op == Op::Rem) && !a.wraps && b.poly.isConstant() &&
      b.poly.constantTerm() > 0) {
    value.dividend = a.poly;
    value.divisor = b.poly.constantTerm();
    value.isRemainder = op == Op::Rem;
  }
  return opaqueValue(std::move(value));
}

Value ValueTable::truncated(const Value &a, unsigned bits, bool isSigned) {
  if (!a.known || bits > 62)
    return {};
  int64_t mask = (int64_t(1) << bits) - 1;
  int64_t offset = isSigned ? int64_t(1) << (bits - 1) : 0;
  Value masked =
      combine(Op::And, combine(Op::Add, a, constant(offset)), constant(mask));
  for (const auto &[m, c] : masked.poly.terms)
    if (m.size() == 1 && m[0].kind == Atom::Opaque)
      opaques[m[0].number].bounds = Bounds{0, mask};
  masked.wraps = false;
  return isSigned ? combine(Op::Sub, masked, constant(offset)) : masked;
}

Value ValueTable::element(unsigned array, const Value &index) {
  std::vector<Instr> code = {{Op::Data, int64_t(array)}};
  std::string key =
      "data" + std::to_string(array) + "@" +
      (index.known ? keyOf(index.poly) : "?" + std::to_string(opaques.size()));
  std::set<unsigned> counters =
      index.known ? countersOf(index.poly) : std::set<unsigned>();
  return opaqueValue({std::move(code), key, std::move(counters), true,
                      boundsOf({Atom::Param, array})});
}

std::vector<Instr> ValueTable::codeFor(const Polynomial &poly) const {
  std::vector<Instr> code;
  bool first = true;
  for (const auto &[m, c] : poly.terms) {
    code.push_back({Op::Const, c});
    for (const Atom &a : m) {
      if (a.kind == Atom::Opaque)
        code.insert(code.end(), opaques[a.number].code.begin(),
                    opaques[a.number].code.end());
      else
        code.push_back(
            {a.kind == Atom::Param ? Op::Param : Op::Counter, a.number});
      code.push_back({Op::Mul, 0});
    }
    if (!first)
      code.push_back({Op::Add, 0});
    first = false;
  }
  if (code.empty())
    code.push_back({Op::Const, 0});
  return code;
}

std::string toText(const Polynomial &poly,
                   const std::function<std::string(Atom)> &name) {
  std::string text;
  for (const auto &[m, c] : poly.terms) {
    if (!text.empty())
      text += c < 0 ? " - " : " + ";
    else if (c < 0)
      text += "-";
    int64_t magnitude = c < 0 ? -c : c;
    std::string product;
    if (magnitude != 1 || m.empty())
      product = std::to_string(magnitude);
    for (const Atom &a : m)
      product += (product.empty() ? "" : "*") + name(a);
    text += product;
  }
  return text.empty() ? "0" : text;
}

} // namespace autokernel
