// The region as a function that compiles alone.

#include "model/Support.h"

#include "support/Files.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace autokernel {

static bool isLocal(const RegionState &state, const std::string &name) {
  for (const VarDecl *v : state.privates)
    if (v->getNameAsString() == name)
      return true;
  return false;
}

static bool isScalarResult(const Param &param) {
  return !param.isArray && param.role != Role::In;
}

static bool isPlace(const RegionState &state, const std::string &name) {
  if (state.site.region.isC)
    return false; // written as an array
  for (const VarDecl *v : state.places)
    if (v->getNameAsString() == name)
      return true;
  return false;
}

/// The parameter that stands for the reference `p`.
static std::string placeDeclaration(const Param &p) {
  std::string text = p.declaration;
  return text.substr(0, text.size() - p.name.size()) + "autokernel_at_" +
         p.name;
}

static std::string referenceBinding(const Param &p) {
  std::string text = p.declaration;
  text = text.substr(0, text.size() - p.name.size() - 1);
  return "  " + text + "&" + p.name + " = *autokernel_at_" + p.name + ";\n";
}

static std::string parameterList(const RegionState &state) {
  std::string out;
  for (const Param &p : state.contract.params) {
    if (isLocal(state, p.name))
      continue;
    if (!out.empty())
      out += ", ";
    if (isPlace(state, p.name))
      out += placeDeclaration(p);
    else if (p.isArray)
      out += p.declaration;
    else if (isScalarResult(p))
      out += p.type.spelling + " *autokernel_out_" + p.name;
    else
      out += p.type.spelling + " " + p.name;
  }
  return out.empty() ? "void" : out;
}

static std::string includes(const RegionState &state) {
  if (state.site.region.isC)
    return "#include <math.h>\n#include <stdbool.h>\n#include <stddef.h>\n"
           "#include <stdint.h>\n#include <stdlib.h>\n";
  std::string out = state.needsMinMax ? "#include <algorithm>\n" : "";
  return out + "#include <cmath>\n#include <cstddef>\n#include <cstdint>\n"
               "#include <cstdlib>\n#include <math.h>\n";
}

static std::string indented(const std::string &text) {
  std::string out = "  ";
  for (char c : text) {
    out += c;
    if (c == '\n')
      out += "  ";
  }
  return out;
}

std::string referenceText(const RegionState &state) {
  const Region &region = state.site.region;
  std::string out = "// Reference of region " + region.id + ": " +
                    llvm::sys::path::filename(region.place.file).str() +
                    ", function " + region.function +
                    ".\n// The loop as written, macros expanded. It is what "
                    "kernels are verified against.\n";
  out += includes(state) + "\n" + referenceSupport(state);
  out += std::string(region.isC ? "" : "extern \"C\" ") +
         "void autokernel_reference(" + parameterList(state) + ") {\n";
  if (!region.isC && state.needsMinMax)
    out += "  using std::max;\n  using std::min;\n";
  for (const VarDecl *v : state.outside)
    if (state.privates.count(v))
      if (auto type = elementType(state.unit.context,
                                  v->getType().getNonReferenceType()))
        out += "  " + type->spelling + " " + v->getNameAsString() + ";\n";
  for (const Param &p : state.contract.params)
    if (isPlace(state, p.name))
      out += referenceBinding(p);
  std::string back;
  for (const Param &p : state.contract.params)
    if (isScalarResult(p) && !isLocal(state, p.name)) {
      out += "  " + p.type.spelling + " " + p.name + " = *autokernel_out_" +
             p.name + ";\n";
      back += "  *autokernel_out_" + p.name + " = " + p.name + ";\n";
    }
  out += indented(state.text.text(
             state.text.withSemicolon(state.site.statement->getSourceRange()),
             state.referenceEdits)) +
         "\n" + back + "}\n";
  return out;
}

namespace {

/// The variables that a statement declares and uses, in the order of its text.
class Mentioned : public RecursiveASTVisitor<Mentioned> {
public:
  explicit Mentioned(const std::set<std::string> &names) : names(names) {}
  std::vector<std::string> found;
  bool VisitVarDecl(VarDecl *v) { return add(v->getNameAsString()); }
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    return add(ref->getDecl()->getNameAsString());
  }

private:
  bool add(const std::string &name) {
    if (names.count(name))
      found.push_back(name);
    return true;
  }
  const std::set<std::string> &names;
};

std::vector<std::string> identifiersOf(llvm::StringRef text,
                                       const std::set<std::string> &names) {
  std::vector<std::string> found;
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("//"))
      i = text.find('\n', i);
    else if (text.substr(i).starts_with("/*"))
      i = text.find("*/", i) + 1;
    else if (isWord(text[i])) {
      llvm::StringRef word = text.substr(i).take_while(isWord);
      if (names.count(word.str()))
        found.push_back(word.str());
      i += word.size() - 1;
    }
    if (i >= text.size())
      break;
  }
  return found;
}

} // namespace

bool isFaithful(const RegionState &state) {
  std::set<std::string> names;
  for (const VarDecl *v : state.inside)
    names.insert(v->getNameAsString());
  for (const auto &[v, number] : state.paramOf)
    names.insert(v->getNameAsString());
  Mentioned order(names);
  order.TraverseStmt(const_cast<Stmt *>(state.site.statement));
  return order.found ==
         identifiersOf(state.text.text(state.site.statement->getSourceRange(),
                                       state.referenceEdits),
                       names);
}

std::string fingerprintOf(const RegionState &state,
                          const std::string &support) {
  std::string text = "abi " + std::to_string(AbiVersion) + "\n";
  text += state.site.region.isC ? "c\n" : "c++\n";
  text += parameterList(state) + "\n" + support;
  text += state.text.tokens(state.site.statement->getSourceRange()) + "\n";
  for (const AnnotateAttr *clause : state.site.clauses) {
    text += clauseName(clause).str();
    for (const clang::Expr *argument : clause->args())
      text += " " + state.text.tokens(argument->getSourceRange());
    text += "\n";
  }
  for (const std::string &body : state.inlined)
    text += body + "\n";
  const FloatSemantics &f = state.contract.floats;
  text += f.contract + (f.fastMath ? " fast" : "");
  return digestOf(text);
}

} // namespace autokernel
