#include "model/Model.h"

#include "model/Normalise.h"
#include "model/RegionState.h"
#include "model/Support.h"

#include "clang/AST/ASTContext.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace autokernel {

namespace {

class Assembler {
public:
  Assembler(ParsedUnit &unit, const Site &site, const SourceText &text)
      : site(site), state(unit, this->site, text) {}

  std::variant<Model, Refusal> run() {
    prepare();
    if (!state.failed())
      normalise(state, site);
    if (!state.failed())
      collectNames(state);
    if (!state.failed())
      noteTemplateArguments(state);
    if (!state.failed())
      addParams(state);
    if (!state.failed())
      readClauses();
    if (!state.failed())
      walkRegion(state);
    if (!state.failed()) {
      decidePrivates(state);
      finalCounters = lastCounters(state);
      decideOrders(state);
      setRoles();
    }
    if (!state.failed())
      checkExtents();
    if (!state.failed() && isRewritten() && !isFaithful(state))
      state.refuse(site.statement->getBeginLoc(), "unsupported-expression",
                   "the region's members or containers are used in a way that "
                   "can't be written as arrays");
    if (state.failed())
      return *state.refusal;
    return assemble();
  }

private:
  void prepare() {
    Contract &c = state.contract;
    c.id = site.region.id;
    c.function = site.region.function;
    c.place = site.region.place;
    c.isC = site.region.isC;
    const LangOptions &lang = state.unit.context.getLangOpts();
    c.floats.fastMath = lang.FastMath;
    switch (lang.getDefaultFPContractMode()) {
    case LangOptions::FPM_Off:
      c.floats.contract = "off";
      break;
    case LangOptions::FPM_On:
      c.floats.contract = "on";
      break;
    default:
      c.floats.contract = "fast";
    }
    if (site.refusal)
      state.refusal = site.refusal;
    if (!hasText())
      state.refuse(site.statement->getBeginLoc(), "macro-region",
                   "the annotated loop is written by a macro");
    if (!site.function)
      state.refuse(site.statement->getBeginLoc(), "unsupported-statement",
                   "the region is not inside a function");
  }

  /// The region begins and ends with whole tokens of the file, or with whole
  /// macros.
  bool hasText() const {
    SourceRange range = site.statement->getSourceRange();
    CharSourceRange text = Lexer::makeFileCharRange(
        CharSourceRange::getTokenRange(range), state.sources,
        state.unit.context.getLangOpts());
    return text.isValid();
  }

  void badClause(const AnnotateAttr *clause, const std::string &message) {
    state.refuse(clause->getLocation(), "clause", message);
  }

  void readClauses() {
    for (const AnnotateAttr *clause : site.clauses) {
      llvm::StringRef name = clauseName(clause);
      if (name == "autokernel")
        readExtents(clause);
      else if (name == "autokernel_exact")
        state.contract.tolerance.exact = true;
      else if (name == "autokernel_tolerance")
        readTolerance(clause);
      else if (name == "autokernel_assume")
        readAssumptions(clause);
      else if (name == "autokernel_reassociate")
        readReassociate(clause);
      else if (name == "autokernel_data")
        badClause(clause, "autokernel_data is not supported yet");
    }
    if (state.contract.tolerance.exact)
      state.contract.floats.reassociate = false;
  }

  void readExtents(const AnnotateAttr *clause) {
    unsigned n = 0;
    for (const clang::Expr *argument : clause->args()) {
      const clang::Expr *e = argument->IgnoreParenImpCasts();
      if (n++ == 0 && isa<StringLiteral>(e))
        continue;
      const auto *subscript = dyn_cast<ArraySubscriptExpr>(e);
      const VarDecl *v =
          subscript ? namedVariable(subscript->getBase()) : nullptr;
      if (!v) {
        badClause(clause, "an extent is written as array[elements]");
        return;
      }
      auto it = state.paramOf.find(v);
      if (it == state.paramOf.end()) {
        badClause(clause,
                  "'" + v->getNameAsString() + "' is not used in the region");
        return;
      }
      Value value = extentValue(subscript->getIdx());
      if (!value.known) {
        badClause(clause, "the extent of '" + v->getNameAsString() +
                              "' can't be computed from the region's scalars");
        return;
      }
      state.contract.params[it->second].extent = autokernel::IndexExpr{
          value.code, state.text.text(subscript->getIdx()->getSourceRange())};
    }
  }

  /// Scalars that only the clause names become parameters too.
  Value extentValue(const clang::Expr *e) { return valueOf(state, e); }

  void readTolerance(const AnnotateAttr *clause) {
    clang::Expr::EvalResult value;
    if (clause->args_size() == 1) {
      const clang::Expr *e = *clause->args_begin();
      if (e->EvaluateAsRValue(value, state.unit.context) &&
          value.Val.isFloat()) {
        double t = value.Val.getFloat().convertToDouble();
        if (t > 0 && t < 1) {
          state.contract.tolerance.relative = t;
          return;
        }
      }
    }
    badClause(clause,
              "autokernel_tolerance takes one constant between 0 and 1");
  }

  void readAssumptions(const AnnotateAttr *clause) {
    for (const clang::Expr *argument : clause->args()) {
      std::vector<Value> conditions;
      conditionsOf(state, argument, true, conditions);
      if (conditions.empty()) {
        badClause(clause, "autokernel_assume takes comparisons of integers");
        return;
      }
      std::string text = state.text.text(argument->getSourceRange());
      for (const Value &v : conditions)
        state.contract.assumptions.push_back({v.code, text});
    }
  }

  void readReassociate(const AnnotateAttr *clause) {
    llvm::StringRef word = clauseIdentifier(clause);
    if (word != "off" && word != "on")
      badClause(clause, "autokernel_reassociate takes on or off");
    state.contract.floats.reassociate = word == "on";
  }

  void setRoles() {
    for (const auto &[v, number] : state.paramOf) {
      Param &p = state.contract.params[number];
      p.nullable = state.comparedWithNull.count(v);
      p.sizeLike = state.sizeLike.count(v);
      p.indexLike = state.usedAsIndex.count(v);
      p.role = p.isArray ? arrayRole(v) : scalarRole(v);
      if (!p.isArray && p.role != Role::In && state.privates.count(v))
        p.role = Role::In;
    }
  }

  Role arrayRole(const VarDecl *v) const {
    bool reads = false, writes = false;
    for (const AccessFact &a : state.accesses) {
      if (a.array != v)
        continue;
      reads |= !a.writes || a.accumulates;
      writes |= a.writes;
    }
    return !writes ? Role::In : reads ? Role::InOut : Role::Out;
  }

  Role scalarRole(const VarDecl *v) const {
    if (!state.assigned.count(v))
      return Role::In;
    // Induction variables are locals of their loops: nothing is left to write.
    if (llvm::none_of(state.events,
                      [&](const ScalarEvent &e) {
                        return e.variable == v && e.kind != ScalarEvent::Read;
                      }) &&
        !llvm::any_of(state.loopFacts,
                      [&](const LoopFact &fact) { return fact.counter == v; }))
      return Role::In;
    for (const ScalarEvent &e : state.events)
      if (e.variable == v)
        return e.kind == ScalarEvent::Write && !e.conditional && e.path.empty()
                   ? Role::Out
                   : Role::InOut;
    return Role::InOut;
  }

  /// Whether bounds can be found for the code at a call.
  bool isBounded(const std::vector<Instr> &code) const {
    for (const Instr &i : code) {
      if (i.op == Op::Unknown)
        return false;
      if (i.op == Op::Counter) {
        const Loop &loop = state.contract.loops[i.value];
        if (!isBounded(loop.first.code) || !isBounded(loop.last.code) ||
            !isBounded(loop.step.code))
          return false;
      }
      if (i.op == Op::Data && state.contract.params[i.value].role != Role::In)
        return false; // the values change while the region runs
    }
    return !code.empty();
  }

  bool isRewritten() const {
    return !state.argumentOf.empty() ||
           !state.referenceEdits.splices.splices.empty();
  }

  /// Containers know how many elements they have.
  bool takeLength(const VarDecl *v) {
    auto it = state.lengthOf.find(v);
    return it != state.lengthOf.end() && addLength(state, v, it->second);
  }

  void checkExtents() {
    for (const AccessFact &a : state.accesses) {
      auto it = state.paramOf.find(a.array);
      if (it == state.paramOf.end())
        continue;
      const Param &p = state.contract.params[it->second];
      if (p.extent || (a.access.index.known && isBounded(a.access.index.code)))
        continue;
      if (takeLength(a.array) || giveDeclaredLength(state, a.array))
        continue;
      Refusal *r =
          state.refuse(a.place, "unknown-extent",
                       "how far '" + a.text + "' reaches can't be derived");
      r->notes.push_back({site.region.attribute,
                          "give the extent in the attribute: [[autokernel(" +
                              p.name + "[elements])]]"});
      return;
    }
  }

  void addAccesses() {
    std::set<std::string> seen;
    for (const AccessFact &a : state.accesses) {
      auto it = state.paramOf.find(a.array);
      if (it == state.paramOf.end())
        continue;
      Access access;
      access.array = state.contract.params[it->second].name;
      access.writes = a.writes;
      access.accumulates = a.accumulates;
      access.op = a.op;
      access.index = {a.access.index.known
                          ? a.access.index.code
                          : std::vector<Instr>{{Op::Unknown, 0}},
                      a.text};
      access.path = a.access.path;
      access.place = placeOf(state.sources, state.sources.getFileLoc(a.place));
      for (const Value &c : a.access.conditions)
        if (c.known)
          access.conditions.push_back({c.code, ""});
      std::string key = keyOf(access);
      if (seen.insert(key).second)
        state.contract.accesses.push_back(std::move(access));
    }
  }

  static std::string keyOf(const Access &a) {
    std::string key = a.array + (a.writes ? "w" : "r") + a.op;
    auto addCode = [&](const autokernel::IndexExpr &e) {
      for (const Instr &i : e.code)
        key += "," + std::to_string(int(i.op)) + ":" + std::to_string(i.value);
    };
    addCode(a.index);
    for (unsigned l : a.path)
      key += "/" + std::to_string(l);
    for (const autokernel::IndexExpr &e : a.conditions) {
      key += "?";
      addCode(e);
    }
    return key;
  }

  // Private scalars were numbered as parameters during the walk.
  void dropPrivates() {
    std::vector<Param> kept;
    std::vector<int64_t> number(state.contract.params.size(), -1);
    for (const VarDecl *v : state.outside) {
      auto it = state.paramOf.find(v);
      if (it == state.paramOf.end() || state.privates.count(v))
        continue;
      number[it->second] = kept.size();
      kept.push_back(state.contract.params[it->second]);
    }
    state.contract.params = std::move(kept);
    auto renumber = [&](autokernel::IndexExpr &e) {
      for (Instr &i : e.code)
        if (i.op == Op::Param || i.op == Op::Data)
          i.value = number[i.value];
    };
    for (Param &p : state.contract.params) {
      if (p.extent)
        renumber(*p.extent);
      if (p.derived)
        renumber(*p.derived);
      if (p.derived && !llvm::all_of(p.derived->code, [](const Instr &i) {
            return i.op != Op::Data && i.value >= 0;
          }))
        p.derived.reset();
    }
    for (Loop &l : state.contract.loops) {
      renumber(l.first);
      renumber(l.last);
      renumber(l.step);
    }
    for (Access &a : state.contract.accesses) {
      renumber(a.index);
      for (autokernel::IndexExpr &e : a.conditions)
        renumber(e);
    }
    for (RangeGuard &g : state.contract.guards) {
      renumber(g.value);
      renumber(g.below);
    }
    for (autokernel::IndexExpr &e : state.contract.assumptions)
      renumber(e);
  }

  std::string classOf() const {
    unsigned roots = 0;
    const Loop *root = nullptr;
    bool atomics = false, rows = false;
    for (const Loop &l : state.contract.loops) {
      atomics |= !l.atomics.empty() && l.order != Order::Sequential;
      rows |= l.parent >= 0 && !l.reductions.empty();
      if (l.parent < 0) {
        ++roots;
        root = &l;
      }
    }
    if (roots > 1 || !root)
      return "sequence";
    if (!root->reductions.empty() || !root->selections.empty())
      return "reduction";
    if (!root->scans.empty())
      return "scan";
    if (atomics || !root->ordered.empty())
      return "scatter";
    return rows ? "rows" : "map";
  }

  Model assemble() {
    Model model;
    model.region = site.region;
    model.root = buildTree(state);
    addAccesses();
    for (const VarDecl *v : state.privates) {
      auto type =
          elementType(state.unit.context, v->getType().getNonReferenceType());
      model.privates.push_back({v->getNameAsString(),
                                type ? type->spelling : "int", "", false, false,
                                false, ""});
    }
    llvm::sort(model.privates,
               [](const auto &a, const auto &b) { return a.name < b.name; });
    for (const VarDecl *v : state.mutableInKernel)
      model.mutableInKernel.push_back(v->getNameAsString());
    llvm::sort(model.mutableInKernel);
    model.reference = referenceText(state);
    model.referenceFile =
        site.region.id + ".reference" + (site.region.isC ? ".c" : ".cpp");
    model.deviceSupport = deviceSupport(state);
    state.contract.regionClass = classOf();
    state.contract.fingerprint = fingerprintOf(state, model.deviceSupport);
    dropPrivates();
    model.contract = state.contract;
    model.compileArgs = state.unit.command.arguments;
    model.finalCounters = finalCounters;
    return model;
  }

  Site site; // its statement may be rewritten
  RegionState state;
  std::map<std::string, std::string> finalCounters;
};

} // namespace

std::variant<Model, Refusal> buildModel(ParsedUnit &unit, const Site &site,
                                        const SourceText &text) {
  return Assembler(unit, site, text).run();
}

} // namespace autokernel
