#include "Guards.h"
#include "Attained.h"
#include "IndexData.h"

#include <algorithm>
#include <limits>

namespace autokernel::runtime {
namespace {

constexpr double Unlimited = std::numeric_limits<double>::infinity();

/// What the tables are evaluated against during one call.
struct Evaluation {
  const RegionInfo &info;
  const Argument *arguments;
  int64_t scalars[MaxParams];
  Interval data[MaxParams];
  Env env;

  Evaluation(const RegionInfo &info, const Argument *arguments)
      : info(info), arguments(arguments) {
    for (unsigned i = 0; i < info.paramCount; ++i) {
      scalars[i] = arguments[i].integer;
      data[i] = {0, 0, false};
    }
    env = {scalars, data, info.loops};
  }
};

double iterations(const Env &env, const unsigned *path, unsigned depth) {
  double n = 1;
  for (unsigned d = 1; d <= depth; ++d) {
    Interval trips = tripCount(env, path, d);
    if (!trips.known)
      return Unlimited;
    n *= double(trips.hi);
  }
  return n;
}

bool samePath(const AccessCode &a, const AccessCode &b) {
  return a.depth == b.depth && std::equal(a.path, a.path + a.depth, b.path);
}

double busiest(const Evaluation &e) {
  double work = 0;
  for (unsigned i = 0; i < e.info.accessCount; ++i) {
    const AccessCode &a = e.info.accesses[i];
    if (i && samePath(a, e.info.accesses[i - 1]))
      continue;
    work = std::max(work, iterations(e.env, a.path, a.depth));
  }
  return work;
}

double accumulated(const Evaluation &e) {
  double depth = 1;
  for (unsigned i = 0; i < e.info.accessCount; ++i) {
    const AccessCode &a = e.info.accesses[i];
    double n = 1;
    for (unsigned d = 1; d <= a.depth; ++d)
      if (e.info.loopFacts[a.path[d - 1]].accumulates)
        n *= double(std::max<int64_t>(1, tripCount(e.env, a.path, d).hi));
    depth = std::max(depth, n);
  }
  return depth;
}

Interval hull(Interval a, Interval b) {
  if (!a.known || !b.known)
    return {0, 0, false};
  if (a.empty())
    return b;
  if (b.empty())
    return a;
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi), true};
}

/// The extent that the user gave, if any.
Interval declared(const Evaluation &e, unsigned param) {
  const Code &extent = e.info.params[param].extent;
  if (!extent.size)
    return {0, 0, false};
  Interval n = rangeOf(e.env, extent, nullptr, 0);
  bool usable = n.known && n.lo == n.hi && n.lo >= 0;
  return usable ? Interval{0, n.lo - 1, true} : Interval{0, 0, false};
}

/// Elements that the accesses tell, within what the user says there is.
Interval touchedOf(const Evaluation &e, unsigned param) {
  Interval all;
  for (unsigned i = 0; i < e.info.accessCount; ++i)
    if (e.info.accesses[i].array == param)
      all = hull(all, touched(e.env, e.info.accesses[i]));
  Interval given = declared(e, param);
  if (!all.known || !given.known)
    return all.known ? all : given;
  return {std::max(all.lo, given.lo), std::min(all.hi, given.hi), true};
}

bool hasUnresolvedData(const Evaluation &e, const Code &code) {
  for (unsigned i = 0; i < code.size; ++i)
    if (code.begin[i].op == Op::Data && !e.data[code.begin[i].value].known)
      return true;
  return false;
}

bool hasUnresolvedData(const Evaluation &e, const AccessCode &a) {
  bool found = hasUnresolvedData(e, a.index);
  for (unsigned i = 0; i < a.conditionCount; ++i)
    found |= hasUnresolvedData(e, a.conditions[i]);
  for (unsigned d = 0; d < a.depth; ++d) {
    const LoopCode &l = e.info.loops[a.path[d]];
    found |= hasUnresolvedData(e, l.first) || hasUnresolvedData(e, l.last) ||
             hasUnresolvedData(e, l.step);
  }
  return found;
}

bool readyToRead(const Evaluation &e, unsigned param) {
  for (unsigned i = 0; i < e.info.accessCount; ++i)
    if (e.info.accesses[i].array == param &&
        hasUnresolvedData(e, e.info.accesses[i]))
      return false;
  return true;
}

Reason readIndexArray(Evaluation &e, unsigned param) {
  const ParamInfo &p = e.info.params[param];
  if (p.role != Role::In)
    return {"an index array is written", p.name};
  Interval range = touchedOf(e, param);
  if (!range.known)
    return {"the extent of an index array is not known", p.name};
  if (range.empty()) {
    e.data[param] = {};
    return {};
  }
  if (!e.arguments[param].address)
    return {"null pointer", p.name};
  e.data[param] = valuesIn(p, e.arguments[param].address, range);
  if (!e.data[param].known)
    return {"the values of an index array can't be read", p.name};
  return {};
}

/// Index arrays may be subscripted by other index arrays: inner ones first.
Reason readIndexArrays(Evaluation &e) {
  bool done[MaxParams] = {};
  for (bool progress = true; progress;) {
    progress = false;
    for (unsigned i = 0; i < e.info.paramCount; ++i) {
      if (!e.info.params[i].index || done[i] || !readyToRead(e, i))
        continue;
      if (Reason r = readIndexArray(e, i))
        return r;
      done[i] = progress = true;
    }
  }
  return {};
}

Reason checkScalars(const Evaluation &e) {
  for (unsigned i = 0; i < e.info.paramCount; ++i)
    if (!e.info.params[i].isArray && !e.arguments[i].fits)
      return {"a size is beyond 2^63", e.info.params[i].name};
  for (unsigned i = 0; i < e.info.assumptionCount; ++i) {
    Interval v = rangeOf(e.env, e.info.assumptions[i], nullptr, 0);
    if (!v.known || v.empty() || v.lo < 0)
      return {"an assumption of autokernel_assume doesn't hold"};
  }
  return {};
}

Reason checkRanges(const Evaluation &e) {
  for (unsigned i = 0; i < e.info.guardCount; ++i) {
    const GuardCode &g = e.info.guards[i];
    Interval v = rangeOf(e.env, g.value, g.path, g.depth);
    Interval below = rangeOf(e.env, g.below, g.path, g.depth);
    if (v.empty())
      continue;
    if (!v.known || !below.known || below.empty() || v.lo < 0 ||
        v.hi >= below.lo)
      return {g.why};
  }
  return {};
}

Reason checkArray(const Evaluation &e, unsigned i, Interval range) {
  const ParamInfo &p = e.info.params[i];
  if (!range.known)
    return {"the extent is not known", p.name};
  if (range.empty())
    return {};
  if (range.lo < -e.info.largestIndex || range.hi > e.info.largestIndex)
    return {"an index is beyond what the kernel was verified for", p.name};
  if (!e.arguments[i].address && !p.nullable)
    return {"null pointer", p.name};
  return {};
}

Reason measureArrays(const Evaluation &e, Plan &plan) {
  plan.nothingToDo = true;
  for (unsigned i = 0; i < e.info.paramCount; ++i) {
    if (!e.info.params[i].isArray)
      continue;
    Interval range = touchedOf(e, i);
    if (Reason r = checkArray(e, i, range))
      return r;
    plan.nothingToDo &= range.empty();
    plan.ranges[i] = e.arguments[i].address ? range : Interval{};
  }
  return {};
}

struct Bytes {
  const char *begin = nullptr, *end = nullptr;
};

Bytes bytesOf(const Evaluation &e, const Plan &plan, unsigned i) {
  const ParamInfo &p = e.info.params[i];
  auto *at = static_cast<const char *>(e.arguments[i].address);
  if (!p.isArray)
    return p.role == Role::In ? Bytes{} : Bytes{at, at + p.bytes};
  if (plan.ranges[i].empty())
    return {};
  return {at + plan.ranges[i].lo * p.bytes,
          at + (plan.ranges[i].hi + 1) * p.bytes};
}

Reason checkOverlap(const Evaluation &e, const Plan &plan) {
  Bytes all[MaxParams];
  for (unsigned i = 0; i < e.info.paramCount; ++i)
    all[i] = bytesOf(e, plan, i);
  for (unsigned i = 0; i < e.info.paramCount; ++i) {
    if (e.info.params[i].role == Role::In)
      continue;
    for (unsigned j = 0; j < e.info.paramCount; ++j)
      if (i != j && all[i].begin < all[j].end && all[j].begin < all[i].end)
        return {"a written array overlaps another one", e.info.params[i].name};
  }
  return {};
}

/// `overwritten` comes from the contract; that the accesses can't even reach
/// every place of the range shows where it isn't so.
void findCovered(const Evaluation &e, Plan &plan) {
  double reach[MaxParams] = {};
  for (unsigned i = 0; i < e.info.accessCount; ++i) {
    const AccessCode &a = e.info.accesses[i];
    if (a.writes && !a.conditionCount)
      reach[a.array] += iterations(e.env, a.path, a.depth);
  }
  for (unsigned i = 0; i < e.info.paramCount; ++i) {
    Interval r = plan.ranges[i];
    plan.covered[i] = !r.empty() && reach[i] >= double(r.hi - r.lo) + 1;
  }
}

bool attained(const Evaluation &e, unsigned param) {
  if (e.info.params[param].extent.size)
    return true;
  for (unsigned i = 0; i < e.info.accessCount; ++i)
    if (e.info.accesses[i].array == param &&
        !endsAttained(e.env, e.info.accesses[i]))
      return false;
  return true;
}

void findAttained(const Evaluation &e, Plan &plan) {
  for (unsigned i = 0; i < e.info.paramCount; ++i)
    plan.attained[i] = e.info.params[i].isArray && attained(e, i);
}

} // namespace

double estimateWork(const RegionInfo &info, const Argument *arguments) {
  return busiest(Evaluation(info, arguments));
}

Reason checkGuards(const RegionInfo &info, const Argument *arguments,
                   Plan &plan) {
  if (info.paramCount > MaxParams)
    return {"too many parameters"};
  Evaluation e(info, arguments);
  if (Reason r = checkScalars(e))
    return r;
  if (Reason r = readIndexArrays(e))
    return r;
  if (Reason r = measureArrays(e, plan))
    return r;
  if (plan.nothingToDo)
    return {};
  if (Reason r = checkRanges(e))
    return r;
  findCovered(e, plan);
  findAttained(e, plan);
  plan.work = busiest(e);
  plan.depth = accumulated(e);
  return checkOverlap(e, plan);
}

} // namespace autokernel::runtime
