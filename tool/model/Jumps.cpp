// Jumps forward inside one iteration: what they skip is conditional.

#include "model/Walk.h"

#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace autokernel {

namespace {

class Jumps : public RecursiveASTVisitor<Jumps> {
public:
  std::vector<const GotoStmt *> found;
  std::set<const LabelDecl *> labels;
  bool VisitGotoStmt(GotoStmt *s) {
    found.push_back(s);
    return true;
  }
  bool VisitLabelStmt(LabelStmt *s) {
    labels.insert(s->getDecl());
    return true;
  }
  static Jumps of(const Stmt *s) {
    Jumps jumps;
    jumps.TraverseStmt(const_cast<Stmt *>(s));
    return jumps;
  }
};

} // namespace

namespace {

class JumpsBetween : public RecursiveASTVisitor<JumpsBetween> {
public:
  JumpsBetween(const SourceManager &sources, SourceLocation begin,
               SourceLocation end)
      : sources(sources), begin(begin), end(end) {}
  bool found = false;
  bool VisitStmt(Stmt *s) {
    found |= isa<ContinueStmt, BreakStmt, GotoStmt, LabelStmt, ReturnStmt>(s) &&
             !sources.isBeforeInTranslationUnit(s->getBeginLoc(), begin) &&
             !sources.isBeforeInTranslationUnit(end, s->getBeginLoc());
    return !found;
  }

private:
  const SourceManager &sources;
  SourceLocation begin, end;
};

} // namespace

bool hasJumpBetween(const RegionState &state, SourceLocation begin,
                    SourceLocation end) {
  if (state.sources.isBeforeInTranslationUnit(end, begin))
    std::swap(begin, end);
  JumpsBetween jumps(state.sources, begin, end);
  jumps.TraverseStmt(const_cast<Stmt *>(state.site.statement));
  return jumps.found;
}

std::vector<const GotoStmt *> gotosIn(const Stmt *s) {
  return Jumps::of(s).found;
}

bool isLabelIn(const Stmt *s, const LabelDecl *label) {
  return Jumps::of(s).labels.count(label) != 0;
}

JumpRange jumpsOf(const CompoundStmt *block) {
  std::map<const LabelDecl *, size_t> labels;
  size_t index = 0;
  for (const Stmt *child : block->body()) {
    if (const auto *label = dyn_cast<LabelStmt>(child))
      labels[label->getDecl()] = index;
    ++index;
  }
  JumpRange range;
  index = 0;
  for (const Stmt *child : block->body()) {
    if (labels.empty())
      break;
    for (const GotoStmt *jump : gotosIn(child)) {
      auto target = labels.find(jump->getLabel());
      if (target == labels.end())
        continue;
      if (range.end == 0)
        range.begin = index;
      range.end = std::max(range.end, target->second + 1);
    }
    ++index;
  }
  return range;
}

/// To a label behind it, of a block around it, in the same iteration of the
/// counted loop around both.
bool Walker::isForward(const GotoStmt *s) const {
  const LabelStmt *target = s->getLabel()->getStmt();
  if (path.empty() || !target ||
      !state.sources.isBeforeInTranslationUnit(s->getBeginLoc(),
                                               target->getBeginLoc()))
    return false;
  return llvm::any_of(blocks, [&](const OpenBlock &open) {
    return open.depth == path.size() &&
           llvm::is_contained(open.block->body(), target);
  });
}

void Walker::jumpOver(const Stmt *child, size_t loopsBefore) {
  OpenBlock &open = blocks.back();
  bool jumps = false;
  for (const GotoStmt *jump : gotosIn(child)) {
    if (isLabelIn(child, jump->getLabel()))
      continue;
    if (open.pending.empty()) {
      open.loops = loopsBefore;
      scope.push_back(0);
      ++conditionDepth;
    }
    open.pending.insert(jump->getLabel());
    jumps = true;
  }
  if (jumps)
    scope.back() = ++scopes;
}

/// A label is reached past every condition since the jumps to it.
void Walker::label(const LabelStmt *s, size_t conditionsBefore) {
  OpenBlock &open = blocks.back();
  if (open.pending.empty())
    return;
  conditions.resize(conditionsBefore);
  open.pending.erase(s->getDecl());
  scope.back() = ++scopes;
  if (!open.pending.empty())
    return;
  checkJump();
  scope.pop_back();
  --conditionDepth;
}

/// The code of a counted loop may land in another kernel than the jump.
void Walker::checkJump() {
  if (state.loops.size() != blocks.back().loops)
    state.refuse(blocks.back().block->getBeginLoc(), "unsupported-statement",
                 "a jump over a loop can't be taken into a kernel");
}

} // namespace autokernel
