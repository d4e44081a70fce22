// The region as a tree of loops, branches and device code.

#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace autokernel {

namespace {

class Builder {
public:
  explicit Builder(RegionState &state) : state(state) {}

  void statement(const Stmt *s, std::vector<Node> &out) {
    if (const auto *attributed = dyn_cast<AttributedStmt>(s))
      return statement(attributed->getSubStmt(), out);
    if (isa<NullStmt>(s))
      return;
    if (const auto *block = dyn_cast<CompoundStmt>(s)) {
      Node node = make(Node::Block, s);
      children(block, node.body);
      out.push_back(std::move(node));
    } else if (const auto *loop = dyn_cast<ForStmt>(s);
               loop && state.loopOf.count(loop)) {
      out.push_back(loopNode(loop));
    } else if (const auto *branch = dyn_cast<IfStmt>(s);
               branch && isStructured(branch) && !readUpdate(state, branch)) {
      out.push_back(ifNode(branch));
    } else {
      out.push_back(textNode(s));
    }
  }

private:
  void body(const Stmt *s, std::vector<Node> &out) {
    if (const auto *block = dyn_cast<CompoundStmt>(s))
      children(block, out);
    else
      statement(s, out);
  }

  void children(const CompoundStmt *block, std::vector<Node> &out) {
    JumpRange jumps = jumpsOf(block);
    size_t index = 0;
    for (const Stmt *child : block->body()) {
      if (index == jumps.begin && jumps.end > 0)
        out.push_back(jumpNode(block, jumps));
      if (index < jumps.begin || index >= jumps.end)
        statement(child, out);
      ++index;
    }
  }

  /// Statements that jump over each other stay together.
  Node jumpNode(const CompoundStmt *block, JumpRange range) {
    const Stmt *first = *(block->body_begin() + range.begin);
    const Stmt *last = *(block->body_begin() + range.end - 1);
    Node node;
    for (size_t i = range.begin; i < range.end; ++i) {
      const Stmt *child = *(block->body_begin() + i);
      merge(node, make(Node::Text, child));
      addLocals(node, child);
    }
    SourceRange all(first->getBeginLoc(), last->getEndLoc());
    node.text = state.text.text(state.text.withSemicolon(all), state.edits);
    return node;
  }

  static void merge(Node &node, const Node &other) {
    auto into = [](std::vector<std::string> &list,
                   const std::vector<std::string> &more) {
      for (const std::string &name : more)
        add(list, name);
    };
    into(node.reads, other.reads);
    into(node.writes, other.writes);
    into(node.assigns, other.assigns);
    into(node.scalarReads, other.scalarReads);
  }

  /// Holds a loop or an update that a generator may have to rewrite.
  bool isStructured(const Stmt *s) const {
    if (const auto *loop = dyn_cast<ForStmt>(s))
      if (state.loopOf.count(loop))
        return true;
    if (orderedStore(s))
      return true;
    if (auto form = readUpdate(state, s))
      return !scalarTarget(state, form->target);
    if (!isa<CompoundStmt, IfStmt>(s))
      return false;
    for (const Stmt *child : s->children())
      if (child && isStructured(child))
        return true;
    return false;
  }

  Node make(Node::Kind kind, const Stmt *s) {
    Node node;
    node.kind = kind;
    auto facts = state.factsOf.find(s);
    if (facts == state.factsOf.end())
      return node;
    const RegionState::Facts &f = facts->second;
    for (size_t i = f.accessBegin; i < f.accessEnd; ++i) {
      const AccessFact &a = state.accesses[i];
      if (a.isLocal)
        continue; // every thread has its own
      add(a.writes ? node.writes : node.reads, a.array->getNameAsString());
      if (a.accumulates)
        add(node.reads, a.array->getNameAsString());
    }
    for (size_t i = f.eventBegin; i < f.eventEnd; ++i) {
      const ScalarEvent &e = state.events[i];
      add(e.kind == ScalarEvent::Read ? node.scalarReads : node.assigns,
          e.variable->getNameAsString());
      if (e.kind == ScalarEvent::Update)
        add(node.scalarReads, e.variable->getNameAsString());
    }
    return node;
  }

  static void add(std::vector<std::string> &list, const std::string &name) {
    if (!llvm::is_contained(list, name))
      list.push_back(name);
  }

  Node loopNode(const ForStmt *s) {
    unsigned id = state.loopOf[s];
    Loop &loop = state.contract.loops[id];
    LoopProblem problem;
    auto header = readCountedLoop(state, s, problem);
    loop.firstText =
        state.text.text(header->first->getSourceRange(), state.edits);
    loop.boundText =
        state.text.text(header->bound->getSourceRange(), state.edits);
    if (header->step)
      loop.stepText =
          state.text.text(header->step->getSourceRange(), state.edits);
    Node node = make(Node::LoopNest, s);
    node.loop = id;
    for (const auto &[v, name] : state.carried[id]) {
      add(node.assigns, name);
      add(node.scalarReads, name);
    }
    for (const ActiveInduction &one : state.inductions[s]) {
      Node declaration;
      declaration.text = one.declaration;
      declaration.locals.push_back(
          {one.name, one.type, "", isPure(one), false, false, ""});
      if (one.reads)
        declaration.scalarReads = {one.outerName};
      declaration.assigns = {one.name};
      node.body.push_back(std::move(declaration));
    }
    body(s->getBody(), node.body);
    return node;
  }

  /// The variable's value before the loop is a parameter's.
  bool isPure(const ActiveInduction &one) const {
    if (!one.reads)
      return true; // as pure as the outer one, which is looked at itself
    return llvm::none_of(state.events, [&](const ScalarEvent &e) {
      return e.variable == one.variable && e.kind != ScalarEvent::Read;
    });
  }

  Node ifNode(const IfStmt *s) {
    Node node = make(Node::If, s);
    node.text = state.text.text(s->getCond()->getSourceRange(), state.edits);
    body(s->getThen(), node.body);
    if (s->getElse())
      body(s->getElse(), node.otherwise);
    return node;
  }

  Node textNode(const Stmt *s) {
    Node node = make(Node::Text, s);
    SourceRange range = state.text.withSemicolon(s->getSourceRange());
    node.text = state.text.text(range, state.edits);
    if (auto form = readUpdate(state, s))
      addUpdate(node, *form);
    addStore(node, s);
    addLocals(node, s);
    return node;
  }

  void addLocals(Node &node, const Stmt *s) {
    if (const auto *decl = dyn_cast<DeclStmt>(s))
      for (const Decl *d : decl->decls())
        if (const auto *v = dyn_cast<VarDecl>(d))
          node.locals.push_back(local(v));
  }

  /// `a[..] = e` where the order of the stores counts; null for anything else.
  const BinaryOperator *orderedStore(const Stmt *s) const {
    const auto *e = dyn_cast<Expr>(s);
    if (const auto *full = dyn_cast_or_null<FullExpr>(e))
      e = full->getSubExpr();
    const auto *op = e ? dyn_cast<BinaryOperator>(e->IgnoreParens()) : nullptr;
    if (!op || op->getOpcode() != BO_Assign ||
        scalarTarget(state, op->getLHS()))
      return nullptr;
    const VarDecl *array = arrayUnder(op->getLHS());
    bool ordered =
        array && llvm::any_of(state.contract.loops, [&](const Loop &loop) {
          return !loop.scans.empty() ||
                 llvm::is_contained(loop.ordered, array->getNameAsString());
        });
    return ordered ? op : nullptr;
  }

  void addStore(Node &node, const Stmt *s) {
    if (const BinaryOperator *op = orderedStore(s))
      node.store = Node::Store{
          state.text.text(op->getLHS()->getSourceRange(), state.edits),
          state.text.text(op->getRHS()->getSourceRange(), state.edits),
          advancesIn(op)};
  }

  /// The increments and decrements inside of a statement, as statements.
  std::string advancesIn(const Stmt *s) const {
    std::string out;
    for (const Stmt *child : s->children()) {
      if (!child)
        continue;
      const auto *u = dyn_cast<UnaryOperator>(child);
      out += u && u->isIncrementDecrementOp()
                 ? state.text.text(u->getSourceRange(), state.edits) + "; "
                 : advancesIn(child);
    }
    return out;
  }

  void addUpdate(Node &node, const UpdateForm &form) {
    auto type = elementType(state.unit.context, form.target->getType());
    if (scalarTarget(state, form.target) || !type)
      return;
    Node::Update update;
    update.target = state.text.text(form.target->getSourceRange(), state.edits);
    SourceRange operand;
    if (form.operand)
      operand = form.operand->getSourceRange();
    if (!form.more.empty())
      operand.setEnd(form.more.back()->getEndLoc());
    if (form.operand)
      update.operand = state.text.text(operand, state.edits);
    update.op = form.op;
    update.negative = form.negative;
    update.type = *type;
    node.update = update;
  }

  Node::Local local(const VarDecl *v) {
    Node::Local result;
    result.name = v->getNameAsString();
    result.isPointer = v->getType()->isPointerType();
    result.isArray = v->getType()->isArrayType();
    if (auto type = elementType(state.unit.context, v->getType()))
      result.type = type->spelling;
    result.pure = state.pure.count(v);
    auto pointer = state.pointers.find(v);
    if (pointer != state.pointers.end()) {
      const Value &offset = pointer->second.offset;
      result.pure =
          offset.known && llvm::none_of(offset.code, [](const Instr &i) {
            return i.op == Op::Data;
          });
    }
    if (pointer != state.pointers.end())
      result.base = pointer->second.base->getNameAsString();
    return result;
  }

  RegionState &state;
};

/// Local pointers into read-only arrays become pointers to const.
void addConst(RegionState &state) {
  std::set<const VarDecl *> written;
  for (const AccessFact &a : state.accesses)
    if (a.writes)
      written.insert(a.array);
  for (const auto &[stmt, facts] : state.factsOf) {
    const auto *decl = dyn_cast<DeclStmt>(stmt);
    if (!decl)
      continue;
    bool all = true, any = false;
    for (const Decl *d : decl->decls()) {
      auto it = state.pointers.find(dyn_cast<VarDecl>(d));
      if (it == state.pointers.end())
        continue;
      const auto *v = cast<VarDecl>(d);
      if (v->getType()->getPointeeType().isConstQualified())
        continue;
      any = true;
      all &= !written.count(it->second.base);
    }
    if (any && all)
      state.edits.insertBefore(decl->getBeginLoc(), "const ");
    if (!any || all)
      continue;
    for (const Decl *d : decl->decls()) {
      auto it = state.pointers.find(dyn_cast<VarDecl>(d));
      if (it != state.pointers.end() && !written.count(it->second.base))
        state.mutableInKernel.insert(it->second.base);
    }
  }
}

/// Spellings of C that CUDA C++ does not know.
void translateKeywords(RegionState &state) {
  auto translate = [&](const Token &token) {
    if (token.is(tok::kw_restrict))
      state.edits.replaceToken(token.getLocation(), "__restrict__");
    else if (token.is(tok::kw__Bool))
      state.edits.replaceToken(token.getLocation(), "bool");
  };
  state.text.forEachToken(state.site.statement->getSourceRange(), translate);
  for (const FunctionDecl *f : state.callees)
    state.text.forEachToken(f->getBody()->getSourceRange(), translate);
}

} // namespace

Node buildTree(RegionState &state) {
  addConst(state);
  translateKeywords(state);
  Builder builder(state);
  std::vector<Node> nodes;
  builder.statement(state.site.statement, nodes);
  if (nodes.size() == 1)
    return std::move(nodes[0]);
  Node root;
  root.kind = Node::Block;
  root.body = std::move(nodes);
  return root;
}

} // namespace autokernel
