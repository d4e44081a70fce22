#include "scan/RegionNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <map>
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

/// All sites at one place: a region, or the instantiations of one.
struct Place {
  std::vector<Site *> sites;
  std::string name; // the user's, or nothing
};

std::vector<Place> placesOf(std::vector<Site> &sites,
                            const std::string &header) {
  std::vector<Place> places;
  std::map<unsigned, size_t> at;
  for (Site &site : sites) {
    if (site.region.header != header)
      continue;
    auto [it, isNew] = at.try_emplace(site.region.begin, places.size());
    if (isNew)
      places.push_back({{}, givenName(site)});
    places[it->second].sites.push_back(&site);
  }
  return places;
}

std::string numbered(const std::string &name, std::set<std::string> &taken) {
  std::string id = name;
  for (unsigned n = 2; !taken.insert(id).second; ++n)
    id = name + "_" + std::to_string(n);
  return id;
}

std::string defaultName(const Site &site, llvm::StringRef file) {
  llvm::StringRef name = site.region.function;
  if (!site.suffix.empty())
    name = name.take_until([](char c) { return c == '<'; });
  return identifierOf(name.empty() ? llvm::sys::path::stem(file) : name);
}

void nameSites(const Place &place, std::string base,
               std::set<std::string> &taken) {
  base = numbered(base, taken);
  for (Site *site : place.sites)
    if (site == place.sites[0] && site->suffix.empty())
      site->region.id = base;
    else
      site->region.id = numbered(
          site->suffix.empty() ? base : base + "_" + site->suffix, taken);
}

/// Names that the user gave come first: others are numbered around them.
void nameFile(const std::vector<Place> &places, llvm::StringRef file) {
  std::set<std::string> taken, given;
  std::vector<const Place *> later;
  for (const Place &place : places)
    if (place.name.empty() || !given.insert(identifierOf(place.name)).second)
      later.push_back(&place);
    else
      nameSites(place, identifierOf(place.name), taken);
  for (const Place *place : later)
    nameSites(*place,
              place->name.empty() ? defaultName(*place->sites[0], file)
                                  : identifierOf(place->name),
              taken);
}

/// The names of a header's regions don't depend on who includes it.
void refuseName(Site &site, std::set<std::string> &taken) {
  site.refuse("header-region",
              "another region of this source has the name '" + site.region.id +
                  "'; give one of them its own: [[autokernel(\"name\")]]");
  site.region.id = numbered(site.region.id, taken);
}

} // namespace

void nameSites(std::vector<Site> &sites, llvm::StringRef file) {
  std::vector<std::string> files = {""};
  for (const Site &site : sites)
    if (!llvm::is_contained(files, site.region.header))
      files.push_back(site.region.header);
  std::set<std::string> taken;
  for (const std::string &header : files) {
    nameFile(placesOf(sites, header), header.empty() ? file : header);
    for (Site &site : sites)
      if (site.region.header == header && !taken.insert(site.region.id).second)
        refuseName(site, taken);
  }
}

} // namespace autokernel
