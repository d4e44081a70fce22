#include "scan/Attribute.h"

#include "scan/Algorithms.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace autokernel {

static constexpr llvm::StringLiteral Prefix = "autokernel";

bool isClause(const Attr *attr) {
  const auto *annotate = llvm::dyn_cast<AnnotateAttr>(attr);
  return annotate && clauseName(annotate).starts_with(Prefix);
}

llvm::StringRef clauseName(const AnnotateAttr *attr) {
  return attr->getAnnotation().split(':').first;
}

llvm::StringRef clauseIdentifier(const AnnotateAttr *attr) {
  return attr->getAnnotation().split(':').second;
}

AttributeLog *&AttributeLog::current() {
  thread_local AttributeLog *log = nullptr;
  return log;
}

namespace {

void misuse(SourceLocation place, std::string message) {
  if (AttributeLog *log = AttributeLog::current())
    log->misuses.push_back({place, std::move(message)});
}

AnnotateAttr *makeAnnotation(Sema &sema, const ParsedAttr &attr,
                             llvm::StringRef name) {
  std::string annotation = name.str();
  llvm::SmallVector<Expr *, 4> args;
  for (unsigned i = 0; i < attr.getNumArgs(); ++i) {
    if (attr.isArgExpr(i))
      args.push_back(attr.getArgAsExpr(i));
    else if (i == 0)
      annotation +=
          ":" + attr.getArgAsIdent(0)->getIdentifierInfo()->getName().str();
  }
  if (AttributeLog *log = AttributeLog::current())
    log->handled.push_back(attr.getLoc());
  return AnnotateAttr::Create(sema.Context, annotation, args.data(),
                              args.size(), attr.getRange());
}

/// One clause; `Name` must live as long as the registry.
struct ClauseInfo : ParsedAttrInfo {
  const char *name;
  Spelling spellings[2];

  explicit ClauseInfo(const char *name)
      : name(name),
        spellings{{ParsedAttr::AS_CXX11, name}, {ParsedAttr::AS_C23, name}} {
    OptArgs = 15;
    Spellings = spellings;
    IsStmt = true;
    IsType = false;
  }

  AttrHandling handleStmtAttribute(Sema &sema, Stmt *statement,
                                   const ParsedAttr &attr,
                                   Attr *&result) const override {
    if (!llvm::isa<ForStmt, CXXForRangeStmt, CompoundStmt, AttributedStmt>(
            statement) &&
        !(llvm::isa<Expr>(statement) && holdsAlgorithm(statement))) {
      misuse(attr.getLoc(), std::string("'") + name +
                                "' belongs on a 'for' loop, a block or a "
                                "function, not on this statement");
      return AttributeNotApplied;
    }
    result = makeAnnotation(sema, attr, name);
    return AttributeApplied;
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *decl,
                                   const ParsedAttr &attr) const override {
    if (!llvm::isa<FunctionDecl>(decl)) {
      misuse(attr.getLoc(), std::string("'") + name +
                                "' belongs on a 'for' loop, a block or a "
                                "function, not on this declaration");
      return AttributeNotApplied;
    }
    decl->addAttr(makeAnnotation(sema, attr, name));
    return AttributeApplied;
  }
};

constexpr const char *Names[] = {
    "autokernel",       "autokernel_tolerance",   "autokernel_assume",
    "autokernel_exact", "autokernel_independent", "autokernel_reassociate",
    "autokernel_data"};

template <int N> struct Clause : ClauseInfo {
  Clause() : ClauseInfo(Names[N]) {}
};

} // namespace

bool isClauseName(llvm::StringRef name) {
  return llvm::is_contained(Names, name);
}

llvm::StringRef nearestClause(llvm::StringRef name) {
  constexpr unsigned mostEdits = 3;
  llvm::StringRef nearest;
  unsigned best = mostEdits + 1;
  for (llvm::StringRef clause : Names) {
    unsigned distance = name.edit_distance(clause, true, mostEdits);
    if (distance < best) {
      best = distance;
      nearest = clause;
    }
  }
  return nearest;
}

static ParsedAttrInfoRegistry::Add<Clause<0>> C0("autokernel", "kernel here");
static ParsedAttrInfoRegistry::Add<Clause<1>> C1("autokernel_tolerance", "");
static ParsedAttrInfoRegistry::Add<Clause<2>> C2("autokernel_assume", "");
static ParsedAttrInfoRegistry::Add<Clause<3>> C3("autokernel_exact", "");
static ParsedAttrInfoRegistry::Add<Clause<4>> C4("autokernel_independent", "");
static ParsedAttrInfoRegistry::Add<Clause<5>> C5("autokernel_reassociate", "");
static ParsedAttrInfoRegistry::Add<Clause<6>> C6("autokernel_data", "");

} // namespace autokernel
