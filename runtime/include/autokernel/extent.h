// Interval evaluation of index expressions, without allocation.
//
// A region's contract says which index expressions each array is accessed
// with, and over which loops. From the actual scalar values this finds the
// smallest and largest element that an access can touch. The dispatch does it
// at every call and the verifier for every case, with this same code.
//
// Surface: Instr, Code, LoopCode, AccessCode, Env, touched().
#pragma once

#include <cstdint>
#include <initializer_list>
#include <new>

namespace autokernel {

enum class Op : uint8_t {
  Const,   // value
  Param,   // scalar parameter number `value`
  Counter, // counter of loop number `value`
  Data,    // any element of array parameter number `value`
  Add,
  Sub,
  Mul,
  Div, // as C divides
  Rem,
  Neg,
  Min,
  Max,
  Shl,
  Shr,
  And,
  Unknown // no bounds are known
};

/// One step of an expression in postfix order.
struct Instr {
  Op op;
  int64_t value;
};

struct Code {
  const Instr *begin = nullptr;
  unsigned size = 0;
};

/// A counted loop: the counter runs from `first` by `step` while it has not
/// passed `last` (inclusive bound). `step` is negative for loops that count
/// down.
struct LoopCode {
  Code first, last, step;
};

/// `index` is evaluated over the loops `path` (outermost first); each of
/// `conditions` is non-negative wherever the access happens.
struct AccessCode {
  unsigned array;
  bool writes;
  Code index;
  const unsigned *path;
  unsigned depth;
  const Code *conditions;
  unsigned conditionCount;
};

/// Closed interval; empty when lo > hi. `known` is false when no bounds exist.
struct Interval {
  int64_t lo = 0, hi = -1;
  bool known = true;
  bool empty() const { return known && lo > hi; }
};

/// What an expression may refer to.
struct Env {
  const int64_t *scalars = nullptr; // by parameter number; arrays' slots unused
  const Interval *data = nullptr;   // by parameter number: range of the values
  const LoopCode *loops = nullptr;
};

namespace detail {

constexpr unsigned MaxDepth = 10;
constexpr unsigned MaxStack = 32;

inline bool addChecked(int64_t a, int64_t b, int64_t &r) {
  return !__builtin_add_overflow(a, b, &r);
}
inline bool mulChecked(int64_t a, int64_t b, int64_t &r) {
  return !__builtin_mul_overflow(a, b, &r);
}
/// Rounds down; b > 0.
inline int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/// [lo, hi] + sum of coef[d] * counter at depth d.
struct Lin {
  int64_t lo = 0, hi = 0;
  int64_t coef[MaxDepth] = {};
  bool known = true;

  static Lin constant(int64_t v) {
    Lin l;
    l.lo = l.hi = v;
    return l;
  }
  static Lin unknown() {
    Lin l;
    l.known = false;
    return l;
  }
  static Lin range(Interval i) {
    if (!i.known)
      return unknown();
    Lin l;
    l.lo = i.lo;
    l.hi = i.hi;
    return l;
  }
  bool isRange() const {
    for (int64_t c : coef)
      if (c)
        return false;
    return true;
  }
  bool isConstant() const { return known && lo == hi && isRange(); }
};

inline Lin add(const Lin &a, const Lin &b, int sign) {
  Lin r;
  r.known = a.known && b.known;
  int64_t blo = sign > 0 ? b.lo : b.hi, bhi = sign > 0 ? b.hi : b.lo;
  if (sign < 0) {
    r.known &= blo != INT64_MIN && bhi != INT64_MIN;
    blo = r.known ? -blo : 0;
    bhi = r.known ? -bhi : 0;
  }
  r.known &= addChecked(a.lo, blo, r.lo) && addChecked(a.hi, bhi, r.hi);
  for (unsigned d = 0; d < MaxDepth; ++d)
    r.known &= sign > 0
                   ? !__builtin_add_overflow(a.coef[d], b.coef[d], &r.coef[d])
                   : !__builtin_sub_overflow(a.coef[d], b.coef[d], &r.coef[d]);
  return r;
}

inline Lin scale(const Lin &a, int64_t k) {
  Lin r;
  r.known = a.known && mulChecked(k >= 0 ? a.lo : a.hi, k, r.lo) &&
            mulChecked(k >= 0 ? a.hi : a.lo, k, r.hi);
  for (unsigned d = 0; d < MaxDepth; ++d)
    r.known &= mulChecked(a.coef[d], k, r.coef[d]);
  return r;
}

/// Bounds of the counters along one access's path.
struct Space {
  Lin lo[MaxDepth], hi[MaxDepth];
  unsigned depth = 0;
  bool isEmpty = false;

  /// One end of `e`: counters are replaced by their bounds, innermost first,
  /// so that bounds which depend on outer counters stay exact.
  bool extreme(Lin e, bool upper, int64_t &out) const {
    if (!e.known)
      return false;
    for (unsigned d = depth; d-- > 0;) {
      int64_t c = e.coef[d];
      if (c == 0)
        continue;
      e.coef[d] = 0;
      const Lin &bound = (c > 0) == upper ? hi[d] : lo[d];
      e = add(e, scale(bound, c), 1);
      if (!e.known)
        return false;
    }
    out = upper ? e.hi : e.lo;
    return true;
  }

  Interval hull(const Lin &e) const {
    Interval i;
    i.known = extreme(e, false, i.lo) && extreme(e, true, i.hi);
    return i;
  }

  /// Uses `e >= 0`, where it speaks of one counter only, to narrow its bounds.
  void restrict(const Lin &e) {
    if (!e.known)
      return;
    unsigned at = MaxDepth, count = 0;
    for (unsigned d = 0; d < depth; ++d)
      if (e.coef[d]) {
        at = d;
        ++count;
      }
    if (count == 0) {
      isEmpty |= e.hi < 0;
      return;
    }
    if (count != 1)
      return;
    int64_t c = e.coef[at], limit;
    if (c == INT64_MIN || e.hi == INT64_MIN)
      return;
    if (c > 0) { // counter >= ceil(-hi / c)
      limit = -floorDiv(e.hi, c);
      if (lo[at].isConstant() && lo[at].lo < limit)
        lo[at] = Lin::constant(limit);
    } else { // counter <= floor(hi / -c)
      limit = floorDiv(e.hi, -c);
      if (hi[at].isConstant() && hi[at].hi > limit)
        hi[at] = Lin::constant(limit);
    }
    isEmpty |=
        lo[at].isConstant() && hi[at].isConstant() && lo[at].lo > hi[at].lo;
  }
};

inline int64_t minOf(int64_t a, int64_t b) { return a < b ? a : b; }
inline int64_t maxOf(int64_t a, int64_t b) { return a > b ? a : b; }

inline Lin hullOfCorners(Interval a, Interval b, Op op) {
  int64_t lo = INT64_MAX, hi = INT64_MIN;
  for (int64_t x : {a.lo, a.hi})
    for (int64_t y : {b.lo, b.hi}) {
      int64_t r = 0;
      if (op == Op::Mul ? !mulChecked(x, y, r) : (x == INT64_MIN && y == -1))
        return Lin::unknown();
      if (op == Op::Div)
        r = x / y;
      lo = minOf(lo, r);
      hi = maxOf(hi, r);
    }
  return Lin::range({lo, hi, true});
}

inline Lin nonLinear(Op op, Interval a, Interval b) {
  if (!a.known || !b.known || a.empty() || b.empty())
    return Lin::unknown();
  switch (op) {
  case Op::Mul:
    return hullOfCorners(a, b, op);
  case Op::Div:
    return b.lo <= 0 && b.hi >= 0 ? Lin::unknown() : hullOfCorners(a, b, op);
  case Op::Rem: {
    if (b.lo <= 0 && b.hi >= 0)
      return Lin::unknown();
    if (a.lo == a.hi && b.lo == b.hi)
      return a.lo == INT64_MIN ? Lin::unknown() : Lin::constant(a.lo % b.lo);
    if (b.lo == INT64_MIN || b.hi == INT64_MIN)
      return Lin::unknown();
    int64_t m = maxOf(b.lo < 0 ? -b.lo : b.lo, b.hi < 0 ? -b.hi : b.hi) - 1;
    return Lin::range(
        {a.lo < 0 ? maxOf(a.lo, -m) : 0, a.hi > 0 ? minOf(a.hi, m) : 0, true});
  }
  case Op::Min:
    return Lin::range({minOf(a.lo, b.lo), minOf(a.hi, b.hi), true});
  case Op::Max:
    return Lin::range({maxOf(a.lo, b.lo), maxOf(a.hi, b.hi), true});
  case Op::Shl:
    if (b.lo != b.hi || b.lo < 0 || b.lo > 62)
      return Lin::unknown();
    return hullOfCorners(a, {int64_t(1) << b.lo, int64_t(1) << b.lo, true},
                         Op::Mul);
  case Op::Shr:
    if (b.lo != b.hi || b.lo < 0 || b.lo > 62)
      return Lin::unknown();
    return Lin::range({a.lo >> b.lo, a.hi >> b.lo, true});
  case Op::And: // with a non-negative mask the result lies in [0, mask]
    if (b.lo >= 0)
      return Lin::range({0, a.lo >= 0 ? minOf(a.hi, b.hi) : b.hi, true});
    if (a.lo >= 0)
      return Lin::range({0, a.hi, true});
    return Lin::unknown();
  default:
    return Lin::unknown();
  }
}

inline Lin combine(const Space &space, Op op, const Lin &a, const Lin &b) {
  if (op == Op::Add)
    return add(a, b, 1);
  if (op == Op::Sub)
    return add(a, b, -1);
  if (op == Op::Mul && a.isConstant())
    return scale(b, a.lo);
  if (op == Op::Mul && b.isConstant())
    return scale(a, b.lo);
  return nonLinear(op, space.hull(a), space.hull(b));
}

inline Lin evaluate(const Env &env, const Space &space, const unsigned *path,
                    Code code) {
  // Made one by one: initialising them all would take most of the time.
  alignas(Lin) unsigned char storage[MaxStack * sizeof(Lin)];
  Lin *stack = reinterpret_cast<Lin *>(storage);
  unsigned top = 0;
  for (unsigned i = 0; i < code.size; ++i) {
    Instr in = code.begin[i];
    if (in.op <= Op::Data || in.op == Op::Unknown) {
      if (top == MaxStack)
        return Lin::unknown();
      Lin &l = *new (stack + top++) Lin();
      if (in.op == Op::Const)
        l = Lin::constant(in.value);
      else if (in.op == Op::Param)
        l = Lin::constant(env.scalars[in.value]);
      else if (in.op == Op::Data)
        l = Lin::range(env.data[in.value]);
      else if (in.op == Op::Counter) {
        unsigned d = 0;
        while (d < space.depth && path[d] != unsigned(in.value))
          ++d;
        if (d == space.depth)
          l = Lin::unknown();
        else
          l.coef[d] = 1;
      } else
        l = Lin::unknown();
    } else if (in.op == Op::Neg) {
      if (top < 1)
        return Lin::unknown();
      stack[top - 1] = scale(stack[top - 1], -1);
    } else {
      if (top < 2)
        return Lin::unknown();
      --top;
      stack[top - 1] = combine(space, in.op, stack[top - 1], stack[top]);
    }
  }
  return top == 1 ? stack[0] : Lin::unknown();
}

/// Adds one loop to the space; the real last value is used when it is known.
inline void enter(const Env &env, Space &space, const unsigned *path,
                  const LoopCode &loop) {
  unsigned d = space.depth;
  Lin first = evaluate(env, space, path, loop.first);
  Lin last = evaluate(env, space, path, loop.last);
  Lin step = evaluate(env, space, path, loop.step);
  if (!step.isConstant() || step.lo == 0) {
    space.lo[d] = space.hi[d] = Lin::unknown();
    ++space.depth;
    return;
  }
  int64_t s = step.lo;
  if (first.isConstant() && last.isConstant()) {
    int64_t span;
    if (__builtin_sub_overflow(last.lo, first.lo, &span) ||
        (s == -1 && span == INT64_MIN))
      last = Lin::unknown();
    else if ((s > 0) != (span >= 0) && span != 0)
      space.isEmpty = true;
    else
      last = Lin::constant(first.lo + span / s * s);
  }
  space.lo[d] = s > 0 ? first : last;
  space.hi[d] = s > 0 ? last : first;
  ++space.depth;
  if (!space.isEmpty) { // wherever the body runs, hi - lo >= 0
    Lin nonEmpty = add(space.hi[d], space.lo[d], -1);
    --space.depth;
    space.restrict(nonEmpty);
    ++space.depth;
  }
}

inline bool build(const Env &env, Space &space, const unsigned *path,
                  unsigned depth) {
  if (depth > MaxDepth)
    return false;
  for (unsigned d = 0; d < depth && !space.isEmpty; ++d)
    enter(env, space, path, env.loops[path[d]]);
  return true;
}

/// The factor of `c` in `e`: over the counters of `c`, e is q times c. 0: none.
inline int64_t factorOf(const Lin &e, const Lin &c) {
  int64_t q = 0;
  for (unsigned d = 0; d < MaxDepth; ++d) {
    if (c.coef[d] == 0)
      continue;
    if (c.coef[d] == -1 && e.coef[d] == INT64_MIN)
      return 0;
    int64_t here = e.coef[d] / c.coef[d];
    if (here == 0 || here * c.coef[d] != e.coef[d] || (q && q != here))
      return 0;
    q = here;
  }
  return q;
}

/// One end of `e` where each of `conditions` is non-negative: a condition that
/// `e` contains as a whole is replaced by 0. This bounds subscripts such as
/// (j + dj) * w + (i + di) whose parts are tested, not their counters.
inline bool endWithin(const Space &space, Lin e, const Lin *conditions,
                      unsigned count, bool upper, int64_t &out) {
  bool used = false;
  for (unsigned i = 0; i < count && e.known; ++i) {
    int64_t q = conditions[i].known ? factorOf(e, conditions[i]) : 0;
    if (q == 0 || (q < 0) != upper)
      continue;
    e = add(e, scale(conditions[i], q), -1);
    used = true;
  }
  return used && space.extreme(e, upper, out);
}

} // namespace detail

/// Range of `code` over the loops of `path`.
inline Interval rangeOf(const Env &env, Code code, const unsigned *path,
                        unsigned depth) {
  detail::Space space;
  if (!detail::build(env, space, path, depth))
    return {0, 0, false};
  if (space.isEmpty)
    return {};
  return space.hull(detail::evaluate(env, space, path, code));
}

/// Elements of its array that an access can touch.
inline Interval touched(const Env &env, const AccessCode &access) {
  detail::Space space;
  if (!detail::build(env, space, access.path, access.depth))
    return {0, 0, false};
  constexpr unsigned MaxConditions = 16;
  detail::Lin conditions[MaxConditions];
  unsigned count = 0;
  for (unsigned i = 0; i < access.conditionCount && !space.isEmpty; ++i) {
    detail::Lin c =
        detail::evaluate(env, space, access.path, access.conditions[i]);
    space.restrict(c);
    if (count < MaxConditions)
      conditions[count++] = c;
  }
  if (space.isEmpty)
    return {};
  detail::Lin index = detail::evaluate(env, space, access.path, access.index);
  Interval hull = space.hull(index);
  int64_t end = 0;
  if (hull.known &&
      detail::endWithin(space, index, conditions, count, false, end))
    hull.lo = detail::maxOf(hull.lo, end);
  if (hull.known &&
      detail::endWithin(space, index, conditions, count, true, end))
    hull.hi = detail::minOf(hull.hi, end);
  return hull;
}

/// Number of iterations of the loop `path[depth - 1]` at most, 0 if none.
inline Interval tripCount(const Env &env, const unsigned *path,
                          unsigned depth) {
  detail::Space space;
  if (!detail::build(env, space, path, depth - 1))
    return {0, 0, false};
  if (space.isEmpty)
    return {0, 0, true};
  const LoopCode &loop = env.loops[path[depth - 1]];
  Interval first = space.hull(detail::evaluate(env, space, path, loop.first));
  Interval last = space.hull(detail::evaluate(env, space, path, loop.last));
  Interval step = space.hull(detail::evaluate(env, space, path, loop.step));
  if (!first.known || !last.known || !step.known || step.lo != step.hi ||
      step.lo == 0)
    return {0, 0, false};
  int64_t span, s = step.lo;
  if (s > 0 ? __builtin_sub_overflow(last.hi, first.lo, &span)
            : __builtin_sub_overflow(last.lo, first.hi, &span))
    return {0, 0, false};
  if ((s > 0) != (span >= 0) && span != 0)
    return {0, 0, true};
  if ((s == -1 && span == INT64_MIN) || span / s == INT64_MAX)
    return {0, 0, false};
  return {0, span / s + 1, true};
}

} // namespace autokernel
