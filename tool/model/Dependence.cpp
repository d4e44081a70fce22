#include "model/Dependence.h"

#include <algorithm>
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/set.h>
#include <memory>

namespace autokernel {

namespace {

/// The part of a monomial that does not vary below the tested loop's parents.
struct Split {
  Monomial stride, counters;
};

class Query {
public:
  Query(const ValueTable &values, const std::vector<TestedLoop> &loops,
        unsigned loop, const TestedAccess &a, const TestedAccess &b)
      : values(values), loops(loops), loop(loop), a(a), b(b) {
    for (unsigned l : a.path) {
      if (l == loop)
        break;
      outer.insert(l);
    }
  }

  ConflictAnswer run();
  bool neverNegative(const Polynomial &poly);

private:
  bool varies(Atom atom) const {
    if (atom.kind == Atom::Counter)
      return !outer.count(atom.number);
    if (atom.kind != Atom::Opaque)
      return false;
    const OpaqueValue &o = values.opaque(atom.number);
    if (o.fromData)
      return true;
    return std::any_of(o.counters.begin(), o.counters.end(),
                       [&](unsigned c) { return !outer.count(c); });
  }

  Split split(const Monomial &m) const {
    Split s;
    for (const Atom &atom : m)
      (varies(atom) ? s.counters : s.stride).push_back(atom);
    return s;
  }

  static bool divides(const Monomial &d, const Monomial &m) {
    return std::includes(m.begin(), m.end(), d.begin(), d.end());
  }

  static Monomial quotient(const Monomial &m, const Monomial &d) {
    Monomial q;
    std::set_difference(m.begin(), m.end(), d.begin(), d.end(),
                        std::back_inserter(q));
    return q;
  }

  std::vector<Monomial> strides() const;
  std::vector<Polynomial> subscripts(const Polynomial &index,
                                     const std::vector<Monomial> &by) const;
  void guard(const Polynomial &rest, const Monomial &stride,
             const std::vector<unsigned> &path, ConflictAnswer &answer) const;

  std::string atomName(Atom atom, char side);
  void divide(const OpaqueValue &value, const std::string &name, char side);
  std::optional<std::string> linear(const Polynomial &p, char side);
  void domain(const TestedAccess &access, char side);
  ConflictAnswer solve(ConflictAnswer answer);
  void cancel(Polynomial &x, Polynomial &y) const;
  bool sameRows() const;
  bool byRows(ConflictAnswer &answer);
  bool byStrides(ConflictAnswer &answer);
  bool separates(const Polynomial &x, const Polynomial &y) const;
  void typeBounds(const Polynomial &poly);

  const ValueTable &values;
  const std::vector<TestedLoop> &loops;
  unsigned loop;
  const TestedAccess &a, &b;
  std::set<unsigned> outer;
  std::set<std::string> parameters, variables, divided;
  std::vector<std::string> constraints;
};

/// Stride monomials of both indices, largest first.
std::vector<Monomial> Query::strides() const {
  std::set<Monomial> found = {{}};
  for (const TestedAccess *access : {&a, &b})
    for (const auto &[m, c] : access->index.poly.terms) {
      Split s = split(m);
      if (!s.counters.empty())
        found.insert(s.stride);
    }
  std::vector<Monomial> sorted(found.begin(), found.end());
  // A quotient such as C / H counts as smaller than a plain parameter.
  auto weight = [&](const Monomial &m) {
    int w = 0;
    for (const Atom &atom : m)
      w += atom.kind == Atom::Opaque ? 1 : 2;
    return w;
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Monomial &x, const Monomial &y) {
                     return weight(x) > weight(y);
                   });
  return sorted;
}

/// index = sum of by[k] * result[k]; every term goes to the first stride that
/// divides it.
std::vector<Polynomial>
Query::subscripts(const Polynomial &index,
                  const std::vector<Monomial> &by) const {
  std::vector<Polynomial> parts(by.size());
  for (const auto &[m, c] : index.terms)
    for (size_t k = 0; k < by.size(); ++k) {
      bool exact = split(m).counters.empty() || split(m).stride == by[k];
      if (!divides(by[k], m) || !exact)
        continue;
      Polynomial term;
      term.terms[quotient(m, by[k])] = c;
      parts[k] = parts[k] + term;
      break;
    }
  return parts;
}

void Query::guard(const Polynomial &rest, const Monomial &stride,
                  const std::vector<unsigned> &path,
                  ConflictAnswer &answer) const {
  Polynomial below;
  below.terms[stride] = 1;
  RangeGuard g;
  g.value.code = values.codeFor(rest);
  g.below.code = values.codeFor(below);
  g.path = path;
  g.why = "rows of an array don't overlap";
  answer.guards.push_back(std::move(g));
}

std::string Query::atomName(Atom atom, char side) {
  if (atom.kind == Atom::Param) {
    std::string n = "p" + std::to_string(atom.number);
    parameters.insert(n);
    return n;
  }
  std::string base =
      (atom.kind == Atom::Counter ? "c" : "o") + std::to_string(atom.number);
  if (varies(atom)) {
    base += side;
    variables.insert(base);
  } else {
    parameters.insert(base);
  }
  if (atom.kind == Atom::Opaque && divided.insert(base).second)
    divide(values.opaque(atom.number), base, side);
  return base;
}

/// What C says of a quotient or remainder: towards zero.
void Query::divide(const OpaqueValue &value, const std::string &name,
                   char side) {
  if (value.divisor == 0)
    return;
  auto dividend = linear(value.dividend, side);
  if (!dividend)
    return;
  std::string n = std::to_string(value.divisor), rest = name;
  if (value.isRemainder) {
    std::string q = "q" + name;
    variables.insert(q);
    constraints.push_back(name + " = " + *dividend + " - " + n + "*" + q);
  } else {
    rest = *dividend + " - " + n + "*" + name;
  }
  constraints.push_back("((" + *dividend + " >= 0 and 0 <= " + rest + " < " +
                        n + ") or (" + *dividend + " < 0 and -" + n + " < " +
                        rest + " <= 0))");
}

/// Text of an affine polynomial, or nothing where it isn't affine. A product of
/// values that stay the same becomes a parameter of its own.
std::optional<std::string> Query::linear(const Polynomial &p, char side) {
  std::string text = "0";
  for (const auto &[m, c] : p.terms) {
    text += c < 0 ? " - " : " + ";
    text += std::to_string(c < 0 ? -c : c);
    Split s = split(m);
    if (s.counters.size() > 1 || (!s.counters.empty() && !s.stride.empty()))
      return std::nullopt;
    if (s.counters.size() == 1) {
      text += "*" + atomName(s.counters[0], side);
    } else if (m.size() == 1) {
      text += "*" + atomName(m[0], side);
    } else if (m.size() > 1) {
      std::string product = "m";
      for (const Atom &atom : m)
        product += "_" + std::string(1, "pco"[atom.kind]) +
                   std::to_string(atom.number);
      parameters.insert(product);
      text += "*" + product;
    }
  }
  return text;
}

void Query::domain(const TestedAccess &access, char side) {
  for (unsigned l : access.path) {
    const TestedLoop &info = loops[l];
    char s = outer.count(l) ? 'x' : side;
    std::string counter = atomName({Atom::Counter, l}, s);
    for (bool low : {true, false}) {
      const Value &bound = low == (info.step >= 0) ? info.first : info.last;
      if (!bound.known || info.step == 0)
        continue;
      if (auto text = linear(bound.poly, s))
        constraints.push_back(counter + (low ? " >= " : " <= ") + *text);
    }
    if (info.step > 1 || info.step < -1)
      if (auto text =
              info.first.known ? linear(info.first.poly, s) : std::nullopt) {
        std::string k = "k" + std::to_string(l) + s;
        variables.insert(k);
        constraints.push_back(counter + " = " + *text + " + " +
                              std::to_string(info.step) + "*" + k);
      }
  }
  for (const Value &condition : access.conditions)
    if (condition.known)
      if (auto text = linear(condition.poly, side))
        constraints.push_back(*text + " >= 0");
}

std::string join(const std::set<std::string> &items, const char *by) {
  std::string out;
  for (const std::string &s : items)
    out += (out.empty() ? "" : by) + s;
  return out;
}

struct IslContext {
  isl_ctx *ctx = isl_ctx_alloc();
  IslContext() {
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(ctx, 2000000);
  }
  ~IslContext() { isl_ctx_free(ctx); }
};

struct Solution {
  bool empty = false;
  std::optional<int64_t> distance; // where all solutions share it
};

/// isl's answer; accesses of one shape ask the same again and again.
const Solution &solved(const std::string &text) {
  thread_local std::map<std::string, Solution> known;
  auto [it, isNew] = known.emplace(text, Solution());
  if (!isNew)
    return it->second;
  IslContext context;
  isl_set *set = isl_set_read_from_str(context.ctx, text.c_str());
  isl_bool empty = set ? isl_set_is_empty(set) : isl_bool_error;
  it->second.empty = empty == isl_bool_true;
  if (empty == isl_bool_false) {
    isl_val *v = isl_set_plain_get_val_if_fixed(set, isl_dim_set, 0);
    if (v && isl_val_is_int(v) == isl_bool_true)
      it->second.distance = isl_val_get_num_si(v);
    isl_val_free(v);
  }
  isl_set_free(set);
  return it->second;
}

ConflictAnswer Query::solve(ConflictAnswer answer) {
  std::string l = std::to_string(loop), delta = "c" + l + "b - c" + l + "a";
  std::string body = "0 = 0";
  for (const std::string &c : constraints)
    body += " and " + c;
  std::string text = "[" + join(parameters, ", ") + "] -> { [d] : exists (" +
                     join(variables, ", ") + " : d = " + delta +
                     " and d != 0 and " + body + ") }";
  const Solution &solution = solved(text);
  if (solution.empty)
    answer.conflict = Conflict::None;
  answer.distance = solution.distance;
  if (answer.conflict != Conflict::None)
    answer.guards.clear();
  return answer;
}

/// Both subscripts are c * counter + the same: equal only in one iteration. The
/// common case, and cheaper than asking isl.
bool Query::separates(const Polynomial &x, const Polynomial &y) const {
  if (!(x == y))
    return false;
  bool counts = false;
  for (const auto &[m, c] : x.terms) {
    if (split(m).counters.empty())
      continue;
    if (m != Monomial{{Atom::Counter, loop}})
      return false;
    counts = true;
  }
  return counts;
}

/// Takes away the terms that are the same on both sides and don't vary.
void Query::cancel(Polynomial &x, Polynomial &y) const {
  for (auto it = x.terms.begin(); it != x.terms.end();) {
    auto other = y.terms.find(it->first);
    bool cancels = split(it->first).counters.empty() &&
                   other != y.terms.end() && other->second == it->second;
    if (!cancels) {
      ++it;
      continue;
    }
    y.terms.erase(other);
    it = x.terms.erase(it);
  }
}

/// Both are subscripts of one array of arrays.
bool Query::sameRows() const {
  if (a.rows.size() < 2 || a.rows.size() != b.rows.size())
    return false;
  for (size_t k = 0; k < a.rows.size(); ++k)
    if (a.rows[k].stride != b.rows[k].stride || !a.rows[k].index.known ||
        !b.rows[k].index.known)
      return false;
  return true;
}

/// Compares subscript by subscript, as they are written; true where one alone
/// keeps the accesses apart.
bool Query::byRows(ConflictAnswer &answer) {
  bool separated = false;
  for (size_t k = 0; k < a.rows.size(); ++k) {
    const Polynomial &x = a.rows[k].index.poly, &y = b.rows[k].index.poly;
    if (k > 0) { // inside the row
      RangeGuard g;
      g.below.code =
          values.constant(a.rows[k - 1].stride / a.rows[k].stride).code;
      g.why = "subscripts stay inside their rows";
      for (const TestedAccess *access : {&a, &b}) {
        g.value.code = access->rows[k].index.code;
        g.path = access->path;
        answer.guards.push_back(g);
      }
    }
    Polynomial left = x, right = y;
    cancel(left, right);
    separated |= separates(left, right);
    auto ta = linear(left, 'a'), tb = linear(right, 'b');
    if (ta && tb)
      constraints.push_back(*ta + " = " + *tb);
  }
  return separated;
}

/// The same for subscripts that are taken apart along their strides.
bool Query::byStrides(ConflictAnswer &answer) {
  Polynomial pa = a.index.poly, pb = b.index.poly;
  cancel(pa, pb);
  std::vector<Monomial> by = strides();
  std::vector<Polynomial> sa = subscripts(pa, by), sb = subscripts(pb, by);
  Polynomial resta, restb;
  bool separated = false;
  for (size_t k = by.size(); k-- > 0;) {
    if (k + 1 < by.size()) { // what lies below stride k must fit into it
      guard(resta, by[k], a.path, answer);
      guard(restb, by[k], b.path, answer);
    }
    separated |= separates(sa[k], sb[k]);
    auto ta = linear(sa[k], 'a'), tb = linear(sb[k], 'b');
    if (ta && tb)
      constraints.push_back(*ta + " = " + *tb);
    Polynomial stride;
    stride.terms[by[k]] = 1;
    resta = resta + sa[k] * stride;
    restb = restb + sb[k] * stride;
  }
  return separated;
}

ConflictAnswer Query::run() {
  ConflictAnswer answer;
  if (!a.index.known || !b.index.known)
    return answer;
  if (sameRows() ? byRows(answer) : byStrides(answer)) {
    answer.conflict = Conflict::None;
    return answer;
  }
  domain(a, 'a');
  domain(b, 'b');
  return solve(std::move(answer));
}

/// What the types of parameters and elements in `poly` allow.
void Query::typeBounds(const Polynomial &poly) {
  for (const auto &[m, c] : poly.terms)
    for (const Atom &atom : m)
      if (auto b = values.boundsOf(atom)) {
        std::string name = atomName(atom, 'a');
        constraints.push_back(name + " >= " + std::to_string(b->lo));
        constraints.push_back(name + " <= " + std::to_string(b->hi));
      }
}

bool Query::neverNegative(const Polynomial &poly) {
  auto text = linear(poly, 'a');
  if (!text)
    return false;
  domain(a, 'a');
  typeBounds(poly);
  for (const Value &condition : a.conditions)
    typeBounds(condition.poly);
  for (unsigned l : a.path) {
    typeBounds(loops[l].first.poly);
    typeBounds(loops[l].last.poly);
  }
  std::string body = "d = 0 and " + *text + " < 0";
  for (const std::string &c : constraints)
    body += " and " + c;
  if (!variables.empty())
    body = "exists (" + join(variables, ", ") + " : " + body + ")";
  std::string set =
      "[" + join(parameters, ", ") + "] -> { [d] : " + body + " }";
  return solved(set).empty; // of counterexamples
}

} // namespace

bool DependenceTester::isNonNegative(const Polynomial &poly,
                                     const TestedAccess &place) const {
  constexpr unsigned NoLoop = ~0u;
  return Query(values, loops, NoLoop, place, place).neverNegative(poly);
}

ConflictAnswer DependenceTester::test(unsigned loop, const TestedAccess &a,
                                      const TestedAccess &b) const {
  return Query(values, loops, loop, a, b).run();
}

} // namespace autokernel
