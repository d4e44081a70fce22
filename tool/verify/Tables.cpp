#include "verify/Tables.h"

#include <algorithm>

namespace autokernel {

Tables::Tables(const Contract &contract) : contract(contract) {
  for (const Loop &l : contract.loops)
    loops.push_back({code(l.first), code(l.last), code(l.step)});
  for (const Access &a : contract.accesses) {
    std::vector<Code> list;
    for (const IndexExpr &e : a.conditions)
      list.push_back(code(e));
    conditions.push_back(std::move(list));
  }
  for (size_t i = 0; i < contract.accesses.size(); ++i) {
    const Access &a = contract.accesses[i];
    unsigned array = 0;
    while (contract.params[array].name != a.array)
      ++array;
    accessCodes.push_back({array, a.writes, code(a.index), a.path.data(),
                           unsigned(a.path.size()), conditions[i].data(),
                           unsigned(conditions[i].size())});
  }
}

bool Tables::guardsHold(const Env &env) const {
  for (const IndexExpr &e : contract.assumptions) {
    Interval v = rangeOf(env, code(e), nullptr, 0);
    if (!v.known || v.lo < 0)
      return false;
  }
  for (const RangeGuard &g : contract.guards) {
    Interval value = rangeOf(env, code(g.value), g.path.data(), g.path.size());
    Interval below = rangeOf(env, code(g.below), g.path.data(), g.path.size());
    if (!value.known || !below.known)
      return false;
    if (!value.empty() && (value.lo < 0 || value.hi >= below.lo))
      return false;
  }
  return true;
}

bool Tables::isAround(unsigned loop) const {
  return std::any_of(contract.loops.begin(), contract.loops.end(),
                     [&](const Loop &l) { return l.parent == int(loop); });
}

bool Tables::everyLoopRuns(const Env &env) const {
  for (const Loop &l : contract.loops) {
    std::vector<unsigned> path = {l.id};
    for (int p = l.parent; p >= 0; p = contract.loops[p].parent)
      path.insert(path.begin(), unsigned(p));
    Interval trips = tripCount(env, path.data(), path.size());
    if (trips.known && trips.hi <= 0)
      return false;
  }
  return true;
}

double Tables::iterations(const Env &env) const {
  double total = 0;
  for (const Loop &l : contract.loops) {
    std::vector<unsigned> path = {l.id};
    for (int p = l.parent; p >= 0; p = contract.loops[p].parent)
      path.insert(path.begin(), unsigned(p));
    double product = 1;
    for (unsigned depth = 1; depth <= path.size(); ++depth) {
      Interval trips = tripCount(env, path.data(), depth);
      product *= trips.known ? double(trips.hi) : 1e3;
    }
    // A loop around others costs the emulator barriers and bookkeeping.
    total += product * (isAround(l.id) ? 48 : 1);
  }
  return total;
}

Interval Tables::touchedBy(const Env &env, unsigned param) const {
  Interval hull;
  bool any = false, known = true;
  for (const AccessCode &a : accessCodes) {
    if (a.array != param)
      continue;
    Interval i = touched(env, a);
    if (!i.known) {
      known = false;
      break;
    }
    if (i.empty())
      continue;
    hull.lo = any ? std::min(hull.lo, i.lo) : i.lo;
    hull.hi = any ? std::max(hull.hi, i.hi) : i.hi;
    any = true;
  }
  const Param &p = contract.params[param];
  if (p.extent) {
    Interval n = rangeOf(env, code(*p.extent), nullptr, 0);
    if (!n.known || n.lo < 0)
      return {0, 0, false};
    if (known && any && (hull.lo < 0 || hull.hi >= n.lo))
      return {0, 0, false}; // reaches past what the user declared
    return {0, n.lo - 1, true};
  }
  if (!known)
    return {0, 0, false};
  return any ? hull : Interval{};
}

} // namespace autokernel
