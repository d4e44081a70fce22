// Running totals: `s += x[i]; y[i] = s;` and `if (c) out[k++] = x[i];`.
//
// What each iteration adds doesn't depend on the total, so the totals can be
// had by a prefix sum. Surface: addScan(), scansAreAlone(), movesOn()
// (RegionState.h).

#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace autokernel {

static bool isUnder(const std::vector<unsigned> &path, unsigned loop) {
  return llvm::is_contained(path, loop);
}

static bool isScan(const RegionState &state, unsigned loop, const VarDecl *v) {
  return llvm::any_of(
      state.contract.loops[loop].scans,
      [&](const Reduction &r) { return r.variable == v->getNameAsString(); });
}

bool addScan(RegionState &state, unsigned loop, const VarDecl *v) {
  std::string op;
  for (const ScalarEvent &e : state.events) {
    if (e.variable != v || !isUnder(e.path, loop))
      continue;
    // Other reads could decide what a later iteration adds.
    if (e.kind == ScalarEvent::Write ||
        (e.kind == ScalarEvent::Read && !e.inStore))
      return false;
    if (e.kind != ScalarEvent::Update)
      continue;
    if (!op.empty() && op != e.op)
      return false;
    op = e.op;
  }
  auto type =
      elementType(state.unit.context, v->getType().getNonReferenceType());
  if (op.empty() || !type || type->kind == ElementType::Bool ||
      (type->kind == ElementType::Float && !state.contract.floats.reassociate))
    return false;
  state.contract.loops[loop].scans.push_back({v->getNameAsString(), op, *type});
  return true;
}

bool scansAreAlone(const RegionState &state, unsigned loop) {
  const Loop &info = state.contract.loops[loop];
  if (info.scans.empty())
    return true;
  if (!info.reductions.empty() || !info.selections.empty() ||
      !info.atomics.empty() || !info.ordered.empty())
    return false;
  // The additions are found before anything is stored, in local arrays too.
  std::set<const VarDecl *> reads, writes;
  for (const AccessFact &a : state.accesses)
    if (isUnder(a.access.path, loop))
      (a.writes ? writes : reads).insert(a.array);
  return llvm::none_of(writes,
                       [&](const VarDecl *v) { return reads.count(v); });
}

bool movesOn(const RegionState &state, unsigned loop, const AccessFact &a,
             const AccessFact &b) {
  const VarDecl *v = a.cursor;
  if (!v || b.cursor != v || !a.writes || !b.writes || !isScan(state, loop, v))
    return false;
  bool up = true, together = false;
  for (const ScalarEvent &e : state.events) {
    if (e.variable != v || !isUnder(e.path, loop) ||
        e.kind != ScalarEvent::Update)
      continue;
    up &= e.up;
    together |= e.scope == a.scope && e.path == a.access.path &&
                !hasJumpBetween(state, a.place, e.place);
  }
  return up && (&a == &b ? a.advances || together : a.advances && b.advances);
}

} // namespace autokernel
