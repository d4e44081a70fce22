// The header of a counted loop: counter, first value, bound, step.

#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace autokernel {

namespace {

/// Whether an expression's value may change while `body` runs.
class Changes : public RecursiveASTVisitor<Changes> {
public:
  Changes(const Stmt *body) { TraverseStmt(const_cast<Stmt *>(body)); }
  std::set<const VarDecl *> variables;

  bool VisitBinaryOperator(BinaryOperator *op) {
    if (op->isAssignmentOp())
      mark(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *op) {
    if (op->isIncrementDecrementOp())
      mark(op->getSubExpr());
    return true;
  }

private:
  void mark(const Expr *target) {
    if (const VarDecl *variable = arrayUnder(target))
      variables.insert(variable);
  }
};

class Names : public RecursiveASTVisitor<Names> {
public:
  std::set<const VarDecl *> variables;
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    if (const auto *variable = arrayUnder(ref))
      variables.insert(variable);
    return true;
  }
};

struct Reader {
  RegionState &state;
  const ForStmt *loop;
  LoopProblem &problem;
  CountedLoop result;

  bool fail(SourceLocation at, const std::string &message,
            const std::string &id = "loop-form") {
    problem = {id, message, at};
    return false;
  }

  bool readInit() {
    const Stmt *init = loop->getInit();
    if (!init)
      return fail(loop->getForLoc(),
                  "the counter gets no first value in the loop's header");
    if (const auto *decl = dyn_cast<DeclStmt>(init)) {
      const auto *variable = decl->isSingleDecl()
                                 ? dyn_cast<VarDecl>(decl->getSingleDecl())
                                 : nullptr;
      if (!variable || !variable->getInit())
        return fail(init->getBeginLoc(),
                    "the loop's header declares more than one counter");
      result.counter = variable;
      result.first = variable->getInit();
      result.declares = true;
    } else if (const auto *assign = dyn_cast<BinaryOperator>(init)) {
      if (assign->getOpcode() != BO_Assign)
        return fail(init->getBeginLoc(),
                    "the loop's header is not 'i = first'");
      result.counter = namedVariable(assign->getLHS());
      result.first = assign->getRHS();
    }
    if (!result.counter)
      return fail(init->getBeginLoc(), "the loop has no counter variable");
    QualType type = result.counter->getType();
    if (!type->isIntegerType() || type->isBooleanType() ||
        type.isVolatileQualified())
      return fail(init->getBeginLoc(), "the counter '" +
                                           result.counter->getNameAsString() +
                                           "' is not an integer");
    return true;
  }

  bool readCondition() {
    const Expr *cond = loop->getCond();
    const auto *test =
        cond ? dyn_cast<BinaryOperator>(cond->IgnoreParenImpCasts()) : nullptr;
    if (!test || !(test->isRelationalOp() || test->getOpcode() == BO_NE))
      return fail(cond ? cond->getBeginLoc() : loop->getForLoc(),
                  "the loop's condition is not 'counter < bound' or the like");
    BinaryOperatorKind kind = test->getOpcode();
    result.comparedAs = test->getLHS()->getType();
    if (!result.comparedAs->isIntegerType())
      return fail(cond->getBeginLoc(), "the loop's bound is not an integer");
    if (namedVariable(test->getLHS()) == result.counter) {
      result.bound = test->getRHS();
    } else if (namedVariable(test->getRHS()) == result.counter) {
      result.bound = test->getLHS();
      kind = BinaryOperator::reverseComparisonOp(kind);
    } else {
      return fail(cond->getBeginLoc(),
                  "the loop's condition doesn't compare its counter '" +
                      result.counter->getNameAsString() + "'");
    }
    result.comparison = BinaryOperator::getOpcodeStr(kind).str();
    return true;
  }

  bool readStep() {
    const Expr *inc = loop->getInc();
    if (!inc)
      return fail(loop->getForLoc(), "the loop's header has no step");
    inc = inc->IgnoreParenImpCasts();
    if (const auto *unary = dyn_cast<UnaryOperator>(inc)) {
      if (unary->isIncrementDecrementOp() &&
          namedVariable(unary->getSubExpr()) == result.counter) {
        result.constantStep = 1;
        result.down = unary->isDecrementOp();
        return true;
      }
    } else if (const auto *binary = dyn_cast<BinaryOperator>(inc)) {
      if (namedVariable(binary->getLHS()) == result.counter &&
          readAmount(binary))
        return true;
    }
    return fail(inc->getBeginLoc(),
                "the loop's step is not '++i', 'i += s' or the like");
  }

  bool readAmount(const BinaryOperator *binary) {
    BinaryOperatorKind kind = binary->getOpcode();
    const Expr *amount = binary->getRHS();
    if (kind == BO_Assign) {
      const auto *sum = dyn_cast<BinaryOperator>(amount->IgnoreParenImpCasts());
      if (!sum)
        return false;
      if (sum->getOpcode() == BO_Add || sum->getOpcode() == BO_Sub) {
        kind = sum->getOpcode() == BO_Add ? BO_AddAssign : BO_SubAssign;
        if (namedVariable(sum->getLHS()) == result.counter)
          amount = sum->getRHS();
        else if (kind == BO_AddAssign &&
                 namedVariable(sum->getRHS()) == result.counter)
          amount = sum->getLHS();
        else
          return false;
      }
    }
    if (kind != BO_AddAssign && kind != BO_SubAssign)
      return false;
    result.step = amount;
    result.down = kind == BO_SubAssign;
    Expr::EvalResult value;
    if (amount->EvaluateAsInt(value, state.unit.context)) {
      result.constantStep = value.Val.getInt().getExtValue();
      if (result.constantStep < 0) {
        result.constantStep = -result.constantStep;
        result.down = !result.down;
        result.step = nullptr;
      }
      // Such a step of an unsigned counter is meant to wrap.
      return result.constantStep != 0 && result.constantStep <= INT32_MAX;
    }
    return true;
  }

  /// The comparison must fit the direction, else the loop is endless or odd.
  bool checkDirection() {
    bool upward = result.comparison[0] == '<';
    if (result.comparison == "!=") {
      if (result.constantStep == 1)
        return true;
      return fail(loop->getCond()->getBeginLoc(),
                  "a loop that ends at '!=' must step by one");
    }
    if (upward != !result.down)
      return fail(
          loop->getCond()->getBeginLoc(),
          "the loop's condition and step point in different directions");
    return true;
  }

  bool checkInvariant() {
    Changes changes(loop->getBody());
    changes.TraverseStmt(const_cast<Expr *>(result.bound));
    if (changes.variables.count(result.counter))
      return fail(loop->getBody()->getBeginLoc(),
                  "the counter '" + result.counter->getNameAsString() +
                      "' is changed in the loop's body",
                  "counter-changes");
    Names names;
    names.TraverseStmt(const_cast<Expr *>(result.bound));
    if (result.step)
      names.TraverseStmt(const_cast<Expr *>(result.step));
    for (const VarDecl *variable : names.variables)
      if (changes.variables.count(variable))
        return fail(result.bound->getBeginLoc(),
                    "the loop's bound uses '" + variable->getNameAsString() +
                        "', which its body changes",
                    "counter-changes");
    if (names.variables.count(result.counter))
      return fail(result.bound->getBeginLoc(),
                  "the loop's bound uses its own counter", "counter-changes");
    return true;
  }

  bool read() {
    return readInit() && readCondition() && readStep() && checkDirection() &&
           checkInvariant();
  }
};

} // namespace

std::optional<CountedLoop>
readCountedLoop(RegionState &state, const ForStmt *loop, LoopProblem &problem) {
  Reader reader{state, loop, problem, {}};
  if (loop->getConditionVariable())
    return reader.fail(loop->getForLoc(), "the loop's condition declares"),
           std::nullopt;
  if (!reader.read())
    return std::nullopt;
  return reader.result;
}

} // namespace autokernel
