// Whether a variable's value may be read after the region.
//
// A search along the control flow of the function, from the region's end to
// the next read or assignment. Surface: isLiveAfter().

#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Analysis/CFG.h"

using namespace clang;

namespace autokernel {

namespace {

/// How a function uses one variable.
class Uses : public RecursiveASTVisitor<Uses> {
public:
  explicit Uses(const VarDecl *v) : variable(v) {}

  std::set<const Stmt *> assignments; // plain ones
  std::set<const Stmt *> targets;     // what they assign to
  std::set<const Stmt *> mentions;
  std::set<const Stmt *> direct; // mentions that read or update it

  bool VisitBinaryOperator(BinaryOperator *op) {
    if (const Expr *target = own(op->getLHS());
        target && op->isAssignmentOp()) {
      direct.insert(target);
      if (op->getOpcode() == BO_Assign) {
        assignments.insert(op);
        targets.insert(target);
      }
    }
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *op) {
    if (op->isIncrementDecrementOp())
      direct.insert(own(op->getSubExpr()));
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *cast) {
    if (cast->getCastKind() == CK_LValueToRValue)
      direct.insert(own(cast->getSubExpr()));
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    if (ref->getDecl() == variable)
      mentions.insert(ref);
    captured |=
        ref->getDecl() == variable && ref->refersToEnclosingVariableOrCapture();
    return true;
  }

  /// Its address or a reference to it may be kept somewhere.
  bool escapes() const {
    return captured || !std::includes(direct.begin(), direct.end(),
                                      mentions.begin(), mentions.end());
  }

private:
  bool captured = false; // by a lambda, which may run at any time
  const Expr *own(const Expr *e) const {
    const auto *ref = dyn_cast<DeclRefExpr>(e->IgnoreParens());
    return ref && ref->getDecl() == variable ? ref : nullptr;
  }
  const VarDecl *variable;
};

/// All statements of the region.
class Inside : public RecursiveASTVisitor<Inside> {
public:
  std::set<const Stmt *> statements;
  bool VisitStmt(Stmt *s) {
    statements.insert(s);
    return true;
  }
};

class Search {
public:
  Search(const Uses &uses, const Inside &region) : uses(uses), region(region) {}

  bool readsAfter(const CFG &cfg) {
    for (const CFGBlock *block : cfg)
      for (size_t i = 0; i < block->size(); ++i)
        if (isInside(statementAt(*block, i))) {
          todo.push_back({block, i, false});
          break;
        }
    for (const CFGBlock *block : cfg)
      if (isInside(block->getTerminatorStmt()))
        todo.push_back({block, block->size(), false});
    if (todo.empty())
      return true; // the region isn't in this function's own flow
    while (!todo.empty() && !found) {
      Place place = todo.back();
      todo.pop_back();
      scan(place);
    }
    return found;
  }

private:
  struct Place {
    const CFGBlock *block;
    size_t from;
    bool left; // the region
  };

  static const Stmt *statementAt(const CFGBlock &block, size_t i) {
    auto element = block.begin()[i].getAs<CFGStmt>();
    return element ? element->getStmt() : nullptr;
  }
  bool isInside(const Stmt *s) const { return s && region.statements.count(s); }

  void scan(Place p) {
    for (size_t i = p.from; i < p.block->size(); ++i) {
      const Stmt *s = statementAt(*p.block, i);
      if (!s || (!p.left && isInside(s)))
        continue;
      p.left = true;
      if (uses.assignments.count(s))
        return;
      if (uses.mentions.count(s) && !uses.targets.count(s)) {
        found = true;
        return;
      }
    }
    for (const CFGBlock::AdjacentBlock &next : p.block->succs())
      for (const CFGBlock *to :
           {next.getReachableBlock(), next.getPossiblyUnreachableBlock()})
        if (to && seen.insert({to, p.left}).second)
          todo.push_back({to, 0, p.left});
  }

  const Uses &uses;
  const Inside &region;
  std::vector<Place> todo;
  std::set<std::pair<const CFGBlock *, bool>> seen;
  bool found = false;
};

} // namespace

bool isLiveAfter(RegionState &state, const VarDecl *v) {
  if (!v->hasLocalStorage() || v->getType()->isReferenceType())
    return true;
  Stmt *body = state.site.function->getBody();
  Uses uses(v);
  uses.TraverseStmt(body);
  if (uses.escapes())
    return true;
  CFG::BuildOptions options;
  options.setAllAlwaysAdd();
  options.PruneTriviallyFalseEdges = false;
  std::unique_ptr<CFG> cfg =
      CFG::buildCFG(state.site.function, body, &state.unit.context, options);
  if (!cfg)
    return true;
  Inside region;
  region.TraverseStmt(const_cast<Stmt *>(state.site.statement));
  return Search(uses, region).readsAfter(*cfg);
}

} // namespace autokernel
