#include "model/Algorithms.h"

#include "model/Effects.h"
#include "model/Normalise.h"
#include "scan/Algorithms.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace autokernel {

namespace {

const Expr *plain(const Expr *e) { return e->IgnoreUnlessSpelledInSource(); }

/// The functor class of std:: as an operator.
llvm::StringRef operatorOf(const CXXRecordDecl *record) {
  static const std::map<llvm::StringRef, llvm::StringRef> operators = {
      {"plus", "+"},    {"minus", "-"},        {"multiplies", "*"},
      {"divides", "/"}, {"bit_and", "&"},      {"bit_or", "|"},
      {"bit_xor", "^"}, {"logical_and", "&&"}, {"logical_or", "||"}};
  if (!record || !record->isInStdNamespace() || !record->getIdentifier())
    return {};
  auto it = operators.find(record->getName());
  return it == operators.end() ? llvm::StringRef() : it->second;
}

/// What calling `f` runs, where that can be told.
const FunctionDecl *functionOf(const Expr *f) {
  const Expr *spelled = plain(f);
  if (const auto *lambda = dyn_cast<LambdaExpr>(spelled))
    return lambda->getCallOperator();
  const auto *ref = dyn_cast<DeclRefExpr>(spelled);
  if (const auto *named =
          ref ? dyn_cast<FunctionDecl>(ref->getDecl()) : nullptr)
    return named;
  const auto *record = ref ? ref->getType()->getAsCXXRecordDecl() : nullptr;
  if (!record || record->isInStdNamespace())
    return nullptr;
  for (const CXXMethodDecl *method : record->methods())
    if (method->getOverloadedOperator() == OO_Call)
      return method;
  return nullptr;
}

/// Where an iterator points: an array or container, and an element of it.
struct Position {
  Snippet base, offset; // offset empty: 0
  QualType offsetType;
  bool isData = false; // the offset is read from memory
};

class AlgorithmWriter {
public:
  AlgorithmWriter(const ParsedUnit &unit, const SourceText &text,
                  FreshNames &names, const CallExpr *call,
                  const std::string &result)
      : unit(unit), context(unit.context), text(text), names(names), call(call),
        result(result) {}

  AlgorithmText run();

private:
  bool fail(const std::string &reason) {
    if (out.why.empty())
      out.why = reason;
    return false;
  }
  Snippet written(const Expr *e) const {
    return copied(unit, text, plain(e)->getSourceRange());
  }
  Snippet operand(const Expr *e) const;
  bool position(const Expr *e, Position &p);
  bool shifted(const Expr *pointer, const Expr *by, const char *sign,
               Position &p);
  bool ofContainer(const Expr *container, bool isEnd, Position &p);
  bool range(const Expr *first, const Expr *last);
  bool counted(const Expr *first, const Expr *count);
  bool another(const Expr *first, Position &p);
  bool isSteady();
  std::string element(const Position &p) const;
  Snippet at(const Position &p) const;
  std::optional<Snippet> applied(const Expr *f, const Snippet &left,
                                 const Snippet *right);
  void loop(const Snippet &body, const Snippet &before = {});
  void statement(llvm::StringRef name);
  void value(llvm::StringRef name);
  void fillWith(const Expr *value);
  void swapThem();
  void fold(const Snippet &start, const Expr *op, const Snippet &element);

  const ParsedUnit &unit;
  ASTContext &context;
  const SourceText &text;
  FreshNames &names;
  const CallExpr *call;
  std::string result;
  std::vector<const Expr *> arguments;
  Position source;
  Snippet count;
  QualType countType;
  std::string counter;
  bool anyOffset = false, anyData = false;
  std::set<const ValueDecl *> rangeNames;
  AlgorithmText out;
};

/// Text that is good before a subscript or between operators.
Snippet AlgorithmWriter::operand(const Expr *e) const {
  const Expr *spelled = plain(e);
  if (isa<DeclRefExpr, IntegerLiteral, FloatingLiteral, MemberExpr,
          ArraySubscriptExpr>(spelled))
    return written(e);
  return Snippet("(") + written(e) + Snippet(")");
}

bool AlgorithmWriter::shifted(const Expr *pointer, const Expr *by,
                              const char *sign, Position &p) {
  if (!position(pointer, p))
    return false;
  if (!by->getType()->isIntegerType())
    return fail("its range is no part of an array or container");
  bool isFirst = p.offset.text.empty();
  Snippet term = Snippet(*sign == '-' ? "-" : "") + operand(by);
  p.offset +=
      isFirst ? term : Snippet(std::string(" ") + sign + " ") + operand(by);
  p.offsetType = plain(by)->getType();
  struct Reads {
    static bool memory(const Stmt *s) {
      const auto *star = dyn_cast<UnaryOperator>(s);
      return isa<ArraySubscriptExpr, CallExpr>(s) ||
             (star && star->getOpcode() == UO_Deref) ||
             llvm::any_of(s->children(),
                          [](const Stmt *c) { return c && memory(c); });
    }
  };
  p.isData |= Reads::memory(by);
  return true;
}

bool AlgorithmWriter::ofContainer(const Expr *container, bool isEnd,
                                  Position &p) {
  const Expr *spelled = plain(container);
  QualType type = spelled->getType();
  const auto *array = context.getAsConstantArrayType(type);
  if (!array && !containerOf(context, type))
    return fail("its range is no part of an array or container");
  p.base = operand(container);
  if (isEnd && array)
    p.offset = std::to_string(array->getSize().getZExtValue());
  else if (isEnd)
    p.offset = p.base + Snippet(".size()");
  p.offsetType = context.getSizeType();
  return true;
}

bool AlgorithmWriter::position(const Expr *e, Position &p) {
  const Expr *spelled = plain(e);
  rangeNames.merge(namedIn(spelled));
  if (changesSomething(spelled) && !isa<CallExpr>(spelled))
    return fail("an argument changes something");
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(spelled)) {
    std::string name = member->getMethodDecl()->getNameAsString();
    bool isEnd = name == "end" || name == "cend";
    if (isEnd || name == "begin" || name == "cbegin" || name == "data")
      return ofContainer(member->getImplicitObjectArgument(), isEnd, p);
  } else if (const auto *op = dyn_cast<CXXOperatorCallExpr>(spelled)) {
    auto kind = op->getOperator();
    if ((kind == OO_Plus || kind == OO_Minus) && op->getNumArgs() == 2)
      return shifted(op->getArg(0), op->getArg(1), kind == OO_Plus ? "+" : "-",
                     p);
  } else if (const auto *plus = dyn_cast<BinaryOperator>(spelled)) {
    bool isLeft = plus->getLHS()->getType()->isPointerType();
    if (plus->getOpcode() == BO_Add)
      return shifted(isLeft ? plus->getLHS() : plus->getRHS(),
                     isLeft ? plus->getRHS() : plus->getLHS(), "+", p);
    if (plus->getOpcode() == BO_Sub && isLeft)
      return shifted(plus->getLHS(), plus->getRHS(), "-", p);
  } else if (const auto *f = dyn_cast<CallExpr>(spelled)) {
    const FunctionDecl *callee = f->getDirectCallee();
    std::string name = callee ? callee->getNameAsString() : "";
    bool isEnd = name == "end" || name == "cend";
    if (callee && callee->isInStdNamespace() && f->getNumArgs() == 1 &&
        (isEnd || name == "begin" || name == "cbegin" || name == "data"))
      return ofContainer(f->getArg(0), isEnd, p);
  } else if (const auto *address = dyn_cast<UnaryOperator>(spelled)) {
    const auto *s = dyn_cast<ArraySubscriptExpr>(plain(address->getSubExpr()));
    if (address->getOpcode() == UO_AddrOf && s)
      return shifted(s->getBase(), s->getIdx(), "+", p);
  } else if (isa<DeclRefExpr, MemberExpr>(spelled) &&
             (spelled->getType()->isPointerType() ||
              spelled->getType()->isArrayType())) {
    p.base = operand(spelled);
    return true;
  }
  return fail("its range is no part of an array or container");
}

bool AlgorithmWriter::another(const Expr *first, Position &p) {
  if (!position(first, p))
    return false;
  anyOffset |= !p.offset.text.empty();
  anyData |= p.isData;
  return true;
}

/// [first, last) of one array as `count` elements.
bool AlgorithmWriter::range(const Expr *first, const Expr *last) {
  Position end;
  if (!another(first, source) || !position(last, end))
    return false;
  if (source.base.text != end.base.text)
    return fail("its range is no part of one array");
  anyData |= end.isData;
  countType = end.offsetType;
  llvm::StringRef all = end.offset.text, begin = source.offset.text;
  if (all.empty())
    return fail("its range ends where the array begins");
  if (begin.empty())
    count = end.offset;
  else if (all.starts_with(begin.str() + " + "))
    count = all.drop_front(begin.size() + 3).str();
  else
    count = end.offset + Snippet(" - (") + source.offset + Snippet(")");
  return true;
}

bool AlgorithmWriter::counted(const Expr *first, const Expr *n) {
  if (!another(first, source))
    return false;
  rangeNames.merge(namedIn(n));
  count = operand(n);
  countType = plain(n)->getType();
  return !changesSomething(n) || fail("an argument changes something");
}

/// Nothing that says where the elements are changes meanwhile.
bool AlgorithmWriter::isSteady() {
  for (const Expr *argument : arguments) {
    const FunctionDecl *f = functionOf(argument);
    if (!f || !f->hasBody(f))
      continue;
    for (const ValueDecl *v : assignedIn(f->getBody()))
      if (rangeNames.count(v) && !v->getType()->isArrayType())
        return fail("its function changes '" + v->getNameAsString() +
                    "', which its range is computed from");
  }
  return true;
}

Snippet AlgorithmWriter::at(const Position &p) const {
  Snippet out = p.base + Snippet("[");
  if (!p.offset.text.empty())
    out += p.offset + Snippet(" + ");
  return out + Snippet(counter + "]");
}

/// f(left, right), or the operator that f is.
std::optional<Snippet> AlgorithmWriter::applied(const Expr *f,
                                                const Snippet &left,
                                                const Snippet *right) {
  const Expr *spelled = plain(f);
  llvm::StringRef op = operatorOf(spelled->getType()->getAsCXXRecordDecl());
  if (!op.empty() && right) {
    const auto *functor = cast<ClassTemplateSpecializationDecl>(
        spelled->getType()->getAsCXXRecordDecl());
    QualType type = functor->getTemplateArgs()[0].getAsType();
    if (type->isVoidType() || context.hasSameType(type, out.result))
      return left + Snippet(" " + op.str() + " ") + *right;
    fail("its operation is of another type than its value");
    return std::nullopt;
  }
  const auto *ref = dyn_cast<DeclRefExpr>(spelled);
  bool isMade = isa<LambdaExpr>(spelled);
  if (!isMade && !ref) {
    fail("its function is neither a lambda nor named");
    return std::nullopt;
  }
  Snippet call = written(f) + Snippet("(") + left;
  if (right)
    call += Snippet(", ") + *right;
  return call + Snippet(")");
}

void AlgorithmWriter::loop(const Snippet &body, const Snippet &before) {
  QualType type = anyOffset || !elementType(context, countType)
                      ? context.getPointerDiffType()
                      : countType;
  std::string spelled = elementType(context, type)->spelling;
  out.block =
      Snippet("{\n") + before +
      Snippet("for (" + spelled + " " + counter + " = 0; " + counter + " < ") +
      count + Snippet("; ++" + counter + ")\n  ") + body + Snippet(";\n}");
}

void AlgorithmWriter::fillWith(const Expr *value) {
  const Expr *spelled = plain(value);
  if (changesSomething(value)) {
    fail("an argument changes something");
    return;
  }
  if (isa<IntegerLiteral, FloatingLiteral>(spelled)) {
    loop(at(source) + Snippet(" = ") + operand(value));
    return;
  }
  auto type = elementType(context, spelled->getType());
  if (!type) {
    fail("its value is no number");
    return;
  }
  std::string name = names.make("fill_value");
  loop(at(source) + Snippet(" = " + name),
       Snippet("const " + type->spelling + " " + name + " = ") +
           written(value) + Snippet(";\n"));
}

/// References, for the subscripts are evaluated once.
void AlgorithmWriter::swapThem() {
  std::vector<Snippet> ends;
  Snippet block = "{\n";
  auto type = elementType(context, plain(arguments[0])->getType());
  if (!type) {
    fail("it swaps what is no number");
    return;
  }
  for (unsigned i : {0, 1}) {
    const Expr *e = arguments[i];
    const VarDecl *v = namedVariable(e);
    if (changesSomething(e) || (v && namedIn(arguments[1 - i]).count(v))) {
      fail("its arguments depend on each other");
      return;
    }
    std::string name = v ? "" : names.make(i ? "right" : "left");
    ends.push_back(v ? written(e) : Snippet(name));
    if (!v)
      block += Snippet(type->spelling + " &" + name + " = ") + written(e) +
               Snippet(";\n");
  }
  std::string kept = names.make("kept");
  out.block = block + Snippet(type->spelling + " " + kept + " = ") + ends[0] +
              Snippet(";\n") + ends[0] + Snippet(" = ") + ends[1] +
              Snippet(";\n") + ends[1] + Snippet(" = " + kept + ";\n}");
}

void AlgorithmWriter::statement(llvm::StringRef name) {
  Position second, target;
  const auto &a = arguments;
  std::optional<Snippet> body;
  if (name == "swap") {
    swapThem();
    return;
  }
  bool isCounted = name.ends_with("_n");
  if (a.size() < 3 || !(isCounted ? counted(a[0], a[1]) : range(a[0], a[1])))
    return;
  if (name.starts_with("for_each")) {
    body = applied(a[2], at(source), nullptr);
  } else if (name.starts_with("copy")) {
    if (another(a[2], target))
      body = at(target) + Snippet(" = ") + at(source);
  } else if (name == "transform" && a.size() == 4) {
    if (another(a[2], target))
      if (auto value = applied(a[3], at(source), nullptr))
        body = at(target) + Snippet(" = ") + *value;
  } else if (name == "transform" && a.size() == 5) {
    if (another(a[2], second) && another(a[3], target)) {
      Snippet right = at(second);
      if (auto value = applied(a[4], at(source), &right))
        body = at(target) + Snippet(" = ") + *value;
    }
  } else if (name == "iota") {
    if (plain(a[2])->getType()->isIntegerType())
      body = at(source) + Snippet(" = ") + operand(a[2]) +
             Snippet(" + " + counter);
    else
      fail("it counts in floating-point numbers");
  } else if (name.starts_with("fill")) {
    fillWith(a[2]);
  }
  if (anyData)
    fail("its range is read from memory; put it into variables");
  if (body)
    loop(*body);
}

/// `result = start; for (...) result = result op element;`
void AlgorithmWriter::fold(const Snippet &start, const Expr *op,
                           const Snippet &element) {
  std::optional<Snippet> sum = Snippet(result + " + ") + element;
  if (op)
    sum = applied(op, Snippet(result), &element);
  if (sum)
    loop(Snippet(result + " = ") + *sum,
         Snippet(result + " = ") + start + Snippet(";\n"));
}

void AlgorithmWriter::value(llvm::StringRef name) {
  const auto &a = arguments;
  out.result = call->getType().getUnqualifiedType();
  if (!elementType(context, out.result) || a.size() < 2) {
    fail("its value is no number");
    return;
  }
  for (const Expr *argument : a)
    if (const FunctionDecl *f = functionOf(argument);
        f && f->hasBody() && !isPure(f))
      fail("its function changes something");
  if (!range(a[0], a[1]))
    return;
  Position second;
  if (name == "count" || name == "count_if") {
    std::optional<Snippet> test = at(source) + Snippet(" == ") + operand(a[2]);
    if (name == "count_if")
      test = applied(a[2], at(source), nullptr);
    if (test)
      loop(Snippet("if (") + *test + Snippet(") ++" + result),
           Snippet(result + " = 0;\n"));
  } else if (name == "accumulate" || name == "reduce") {
    fold(a.size() > 2 ? written(a[2]) : Snippet("0"),
         a.size() > 3 ? a[3] : nullptr, at(source));
  } else if (name == "transform_reduce" && a.size() == 5) {
    if (auto each = applied(a[4], at(source), nullptr))
      fold(written(a[2]), a[3], *each);
  } else if (a.size() == 4 || a.size() == 6) { // two ranges
    if (!another(a[2], second))
      return;
    Snippet right = at(second);
    std::optional<Snippet> product = at(source) + Snippet(" * ") + right;
    if (a.size() == 6)
      product = applied(a[5], at(source), &right);
    if (product)
      fold(written(a[3]), a.size() == 6 ? a[4] : nullptr, *product);
  } else {
    fail("it isn't known in this form");
  }
}

AlgorithmText AlgorithmWriter::run() {
  llvm::StringRef name = call->getDirectCallee()->getName();
  for (const Expr *argument : call->arguments()) {
    const auto *record =
        argument->getType().getNonReferenceType()->getAsCXXRecordDecl();
    bool isPolicy = arguments.empty() && record && record->getIdentifier() &&
                    record->getName().ends_with("_policy");
    if (!isPolicy)
      arguments.push_back(argument);
  }
  counter = names.make("k");
  if (isFold(call))
    value(name);
  else
    statement(name);
  if (out.why.empty())
    isSteady();
  if (out.why.empty() && out.block.namesMacro)
    fail("a name in it is a macro, too");
  return std::move(out);
}

} // namespace

AlgorithmText writeAlgorithm(const ParsedUnit &unit, const SourceText &text,
                             FreshNames &names, const CallExpr *call,
                             const std::string &result) {
  return AlgorithmWriter(unit, text, names, call, result).run();
}

} // namespace autokernel
