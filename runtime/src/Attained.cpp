#include "Attained.h"

namespace autokernel::runtime {
namespace {

using detail::Lin;
using detail::Space;

bool isLinear(const Lin &l) { return l.known && l.lo == l.hi; }

/// The loop runs at least once wherever it is reached, and its last counter is
/// known; or nothing at all is touched.
bool hasPlainBounds(const Env &env, const Space &space, const unsigned *path) {
  const LoopCode &loop = env.loops[path[space.depth]];
  Lin first = detail::evaluate(env, space, path, loop.first);
  Lin last = detail::evaluate(env, space, path, loop.last);
  Lin step = detail::evaluate(env, space, path, loop.step);
  if (!isLinear(first) || !isLinear(last) || !step.isConstant())
    return false;
  if (first.isConstant() && last.isConstant())
    return true;
  Lin length =
      step.lo > 0 ? detail::add(last, first, -1) : detail::add(first, last, -1);
  int64_t shortest = 0;
  return (step.lo == 1 || step.lo == -1) &&
         space.extreme(length, false, shortest) && shortest >= 0;
}

/// Conditions narrow the range exactly when they bound one counter that runs
/// in steps of one between constants.
bool narrowsExactly(const Env &env, const Space &space, const unsigned *path,
                    const Lin &condition) {
  if (!isLinear(condition))
    return false;
  unsigned counters = 0, at = 0;
  for (unsigned d = 0; d < space.depth; ++d)
    if (condition.coef[d]) {
      at = d;
      ++counters;
    }
  if (counters != 1)
    return counters == 0;
  Lin step = detail::evaluate(env, space, path, env.loops[path[at]].step);
  bool steps = step.isConstant() && (step.lo == 1 || step.lo == -1);
  for (unsigned d = 0; d < space.depth; ++d) // others may start from it
    if (d != at && (space.lo[d].coef[at] || space.hi[d].coef[at]))
      return false;
  return steps && space.lo[at].isConstant() && space.hi[at].isConstant();
}

/// Smallest and largest value of an index array are values that occur.
bool isPlainData(const Code &code) {
  unsigned data = 0;
  for (unsigned i = 0; i < code.size; ++i) {
    Op op = code.begin[i].op;
    data += op == Op::Data;
    if (op == Op::Counter || op > Op::Mul)
      return false;
  }
  return data == 1;
}

} // namespace

bool endsAttained(const Env &env, const AccessCode &access) {
  Space space;
  if (access.depth > detail::MaxDepth)
    return false;
  for (unsigned d = 0; d < access.depth; ++d) {
    if (!hasPlainBounds(env, space, access.path))
      return false;
    detail::enter(env, space, access.path, env.loops[access.path[d]]);
    if (space.isEmpty)
      return true;
  }
  for (unsigned i = 0; i < access.conditionCount; ++i) {
    Lin c = detail::evaluate(env, space, access.path, access.conditions[i]);
    if (!narrowsExactly(env, space, access.path, c))
      return false;
  }
  Lin index = detail::evaluate(env, space, access.path, access.index);
  if (access.conditionCount == 0 && isPlainData(access.index))
    return true;
  return isLinear(index);
}

} // namespace autokernel::runtime
