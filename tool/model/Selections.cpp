// Scalars that one iteration of a loop decides: the last match, the largest
// element and where it is.
//
// The iterations may then run in any order, as long as each remembers which
// one it is. Surface: addSelection() (RegionState.h).

#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace autokernel {

namespace {

/// Assignments whose text is in a range.
class Between : public RecursiveASTVisitor<Between> {
public:
  Between(const SourceManager &sources, SourceLocation begin,
          SourceLocation end)
      : sources(sources), begin(begin), end(end) {}

  std::vector<const BinaryOperator *> assignments;
  std::set<const VarDecl *> assigned;

  bool VisitBinaryOperator(BinaryOperator *op) {
    if (op->isAssignmentOp() && isInside(op->getBeginLoc())) {
      note(op->getLHS());
      assignments.push_back(op);
    }
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *op) {
    if (op->isIncrementDecrementOp() && isInside(op->getBeginLoc()))
      note(op->getSubExpr());
    return true;
  }

private:
  bool isInside(SourceLocation at) const {
    return !sources.isBeforeInTranslationUnit(at, begin) &&
           !sources.isBeforeInTranslationUnit(end, at);
  }
  void note(const Expr *target) {
    if (const VarDecl *v = namedVariable(target))
      assigned.insert(v);
  }

  const SourceManager &sources;
  SourceLocation begin, end;
};

class References : public RecursiveASTVisitor<References> {
public:
  std::vector<const VarDecl *> variables;
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    if (const auto *v = dyn_cast<VarDecl>(ref->getDecl()))
      variables.push_back(v);
    return true;
  }
};

/// What `key` is compared with, as `candidate op key`.
struct Comparison {
  const DeclRefExpr *key = nullptr;
  const Expr *candidate = nullptr;
  QualType computed;
  std::string op;
};

class Finder {
public:
  Finder(RegionState &state, unsigned loop) : state(state), loop(loop) {}

  std::optional<Selection> run(const VarDecl *v) {
    if (!findScope(v) || !findVariables())
      return std::nullopt;
    for (const VarDecl *one : variables)
      if (!findKey(one))
        return std::nullopt;
    if (hasJumpBetween(state, first, last) ||
        !state.statementStarts.count(first) || first.isMacroID() ||
        (key && !isBest()))
      return std::nullopt;
    return made();
  }

  SourceLocation place() const { return first; }

private:
  bool isHere(const ScalarEvent &e) const {
    return llvm::is_contained(e.path, loop);
  }

  /// All writes are in one scope, one after the other.
  bool findScope(const VarDecl *v) {
    bool any = false;
    for (const ScalarEvent &e : state.events) {
      if (e.variable != v || !isHere(e) || e.kind == ScalarEvent::Read)
        continue;
      if (e.kind == ScalarEvent::Update || (any && e.scope != scope))
        return false;
      scope = e.scope;
      any = true;
    }
    return any;
  }

  /// Everything that the scope assigns and later code may read.
  bool findVariables() {
    for (const ScalarEvent &e : state.events) {
      if (!isHere(e) || e.kind == ScalarEvent::Read || e.scope != scope ||
          isDeclaredUnder(state, e.variable, loop) ||
          state.loopFacts[loop].counter == e.variable)
        continue;
      ScalarUse use = scalarUse(state, loop, e.variable);
      if (use.privateHere || !use.reduction.empty())
        continue;
      note(e);
    }
    return !variables.empty();
  }

  void note(const ScalarEvent &e) {
    if (!llvm::is_contained(variables, e.variable))
      variables.push_back(e.variable);
    if (first.isInvalid() ||
        state.sources.isBeforeInTranslationUnit(e.place, first))
      first = e.place;
    if (last.isInvalid() ||
        state.sources.isBeforeInTranslationUnit(last, e.place))
      last = e.place;
  }

  /// Reads of an earlier iteration's value: none, or one comparison that the
  /// scope depends on.
  bool findKey(const VarDecl *v) {
    for (const ScalarEvent &e : state.events)
      if (e.variable == v && isHere(e) && e.kind == ScalarEvent::Write &&
          e.scope != scope)
        return false;
    for (size_t i = 0; i < state.events.size(); ++i) {
      const ScalarEvent &e = state.events[i];
      if (e.variable != v || !isHere(e) || e.kind != ScalarEvent::Read ||
          isSetBefore(state, i, loop))
        continue;
      if (!key && !findComparison(v))
        return false;
      if (key != v || e.place != comparison.key->getBeginLoc())
        return false;
    }
    return true;
  }

  bool findComparison(const VarDecl *v) {
    auto fact = state.scopeFacts.find(scope.empty() ? 0 : scope.back());
    if (fact == state.scopeFacts.end() || !fact->second.condition)
      return false;
    key = v;
    return inCondition(fact->second.condition, fact->second.holds);
  }

  bool inCondition(const Expr *e, bool holds) {
    e = e->IgnoreParenImpCasts();
    if (const auto *op = dyn_cast<UnaryOperator>(e);
        op && op->getOpcode() == UO_LNot)
      return inCondition(op->getSubExpr(), !holds);
    const auto *op = dyn_cast<BinaryOperator>(e);
    if (!op)
      return false;
    if (op->getOpcode() == (holds ? BO_LAnd : BO_LOr))
      return inCondition(op->getLHS(), holds) ||
             inCondition(op->getRHS(), holds);
    return op->isRelationalOp() && compares(op, holds);
  }

  /// Where `holds` is false, of numbers that always compare.
  bool compares(const BinaryOperator *op, bool holds) {
    const Expr *candidate = op->getLHS(), *other = op->getRHS();
    BinaryOperatorKind kind = op->getOpcode();
    if (namedVariable(candidate) == key) {
      std::swap(candidate, other);
      kind = BinaryOperator::reverseComparisonOp(kind);
    }
    const auto *ref = dyn_cast<DeclRefExpr>(other->IgnoreParenImpCasts());
    if (!ref || ref->getDecl() != key)
      return false;
    if (!holds) {
      if (other->getType()->isFloatingType() && !state.contract.floats.fastMath)
        return false;
      kind = BinaryOperator::negateComparisonOp(kind);
    }
    comparison = {ref, candidate, other->getType(),
                  BinaryOperator::getOpcodeStr(kind).str()};
    return true;
  }

  /// The candidate itself becomes the key, unchanged since it was compared.
  bool isBest() {
    const BinaryOperator *assignment = nullptr;
    Between since(state.sources, comparison.candidate->getEndLoc(), last);
    since.TraverseStmt(const_cast<Stmt *>(state.site.statement));
    for (const BinaryOperator *op : since.assignments)
      if (namedVariable(op->getLHS()) == key) {
        if (assignment || op->getOpcode() != BO_Assign)
          return false;
        assignment = op;
      }
    if (!assignment ||
        !sameExpr(state, assignment->getRHS(), comparison.candidate) ||
        !keepsSense(state, assignment->getLHS(), comparison.candidate,
                    comparison.computed,
                    comparison.op[0] == '>' ? "max" : "min"))
      return false;
    References used;
    used.TraverseStmt(const_cast<Expr *>(comparison.candidate));
    return llvm::none_of(used.variables, [&](const VarDecl *v) {
      return v == key || since.assigned.count(v) ||
             state.writtenArrays.count(v);
    });
  }

  std::optional<Selection> made() {
    Selection result;
    for (const VarDecl *v : variables) {
      auto type =
          elementType(state.unit.context, v->getType().getNonReferenceType());
      if (!type)
        return std::nullopt;
      result.variables.push_back({v->getNameAsString(), "", *type});
    }
    if (key) {
      result.key = key->getNameAsString();
      result.op = comparison.op;
    }
    result.mark = scope.empty() ? 0 : scope.back();
    return result;
  }

  RegionState &state;
  unsigned loop;
  std::vector<unsigned> scope;
  std::vector<const VarDecl *> variables;
  SourceLocation first, last;
  const VarDecl *key = nullptr;
  Comparison comparison;
};

} // namespace

bool addSelection(RegionState &state, unsigned loop, const VarDecl *v) {
  std::vector<Selection> &selections = state.contract.loops[loop].selections;
  for (const Selection &s : selections)
    for (const Reduction &variable : s.variables)
      if (variable.variable == v->getNameAsString())
        return true;
  Finder finder(state, loop);
  auto found = finder.run(v);
  if (!found)
    return false;
  bool known = llvm::any_of(state.contract.loops, [&](const Loop &other) {
    return llvm::any_of(other.selections, [&](const Selection &s) {
      return s.mark == found->mark;
    });
  });
  if (!known)
    state.edits.insertBefore(finder.place(), markOf(found->mark));
  selections.push_back(std::move(*found));
  return true;
}

} // namespace autokernel
