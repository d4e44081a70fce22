#include "scan/RegionNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace clang;

namespace autokernel {

namespace {

bool isIdentifierStart(char c) { return llvm::isAlpha(c) || c == '_'; }

std::string identifierOf(llvm::StringRef text) {
  std::string id;
  for (char c : text)
    id += llvm::isAlnum(c) ? c : '_';
  if (id.empty() || !isIdentifierStart(id[0]))
    id = "k" + id;
  return id;
}

/// The user's name: a string literal or a lone identifier.
std::string givenName(const Site &site) {
  for (const AnnotateAttr *clause : site.clauses) {
    if (clauseName(clause) != "autokernel")
      continue;
    if (!clauseIdentifier(clause).empty())
      return clauseIdentifier(clause).str();
    if (clause->args_size() != 0)
      if (auto *literal = llvm::dyn_cast<StringLiteral>(
              (*clause->args_begin())->IgnoreParenImpCasts()))
        return literal->getString().str();
  }
  return "";
}

} // namespace

void nameSites(std::vector<Site> &sites, llvm::StringRef file) {
  std::set<std::string> taken;
  // Names that the user gave come first: others may be numbered around them.
  std::vector<Site *> later;
  for (Site &site : sites) {
    std::string given = givenName(site);
    if (given.empty() || !taken.insert(identifierOf(given)).second)
      later.push_back(&site);
    else
      site.region.id = identifierOf(given);
  }
  for (Site *site : later) {
    std::string name = givenName(*site);
    if (name.empty())
      name = site->region.function;
    if (name.empty())
      name = llvm::sys::path::stem(file).str();
    name = identifierOf(name);
    std::string id = name;
    for (unsigned n = 2; !taken.insert(id).second; ++n)
      id = name + "_" + std::to_string(n);
    site->region.id = id;
  }
}

} // namespace autokernel
