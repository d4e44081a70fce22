#include "scan/Sites.h"

#include "scan/Inclusions.h"
#include "support/Includers.h"

#include "clang/Basic/SourceManager.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace autokernel {

namespace {

class Places {
public:
  Places(const ParsedUnit &unit, std::vector<Site> &sites)
      : unit(unit), sites(sites), sources(unit.context.getSourceManager()) {}

  void run(const std::vector<Site> &patterns) {
    addUnused(patterns);
    for (Site &site : sites)
      setHeader(site);
    llvm::stable_sort(sites, [](const Site &a, const Site &b) {
      bool bothOwn = a.region.header.empty() && b.region.header.empty();
      return bothOwn ? a.region.begin < b.region.begin
                     : a.region.header.empty() > b.region.header.empty();
    });
    refuseInclusions();
    refuseRepeated();
    refuseUntold(patterns);
  }

private:
  FileID fileOf(const Site &site) const {
    return sources.getFileID(
        sources.getExpansionLoc(site.statement->getBeginLoc()));
  }

  /// A template of a header that this source doesn't use is no fault of it.
  void addUnused(const std::vector<Site> &patterns) {
    for (Site site : patterns) {
      if (fileOf(site) != sources.getMainFileID())
        continue;
      if (llvm::any_of(sites, [&](const Site &other) {
            return fileOf(other) == fileOf(site) &&
                   other.region.begin == site.region.begin;
          }))
        continue;
      site.refuse("template-region",
                  "nothing in this source instantiates the template");
      sites.push_back(std::move(site));
    }
  }

  void setHeader(Site &site) {
    FileID file = fileOf(site);
    auto [known, isNew] = headers.try_emplace(file);
    if (isNew)
      known->second = realPathOf(unit, file);
    site.region.header = known->second;
  }

  void refuseInclusions() {
    if (llvm::all_of(
            sites, [](const Site &site) { return site.region.header.empty(); }))
      return;
    std::vector<Inclusion> inclusions = inclusionsOf(unit);
    for (Site &site : sites)
      if (!site.region.header.empty())
        refuseInclusions(site, inclusions);
  }

  static void refuseInclusions(Site &site,
                               const std::vector<Inclusion> &inclusions) {
    std::set<std::string> files = includersOf({site.region.header}, inclusions);
    if (files.count(CommandLineFile))
      site.refuse("header-region",
                  "the command line includes this header, as it does with a "
                  "precompiled one, before it can be rewritten");
    std::map<std::pair<std::string, unsigned>, std::set<std::string>> named;
    std::set<std::pair<std::string, unsigned>> leading;
    for (const Inclusion &i : inclusions) {
      named[{i.from, i.begin}].insert(i.file);
      if (files.count(i.file))
        leading.insert({i.from, i.begin});
    }
    for (const auto &directive : leading)
      if (named[directive].size() > 1)
        site.refuse("header-region", "what includes this header names other "
                                     "files by the same line");
  }

  /// Other macros may make another loop of the same text.
  void refuseRepeated() {
    using Key = std::pair<std::string, unsigned>;
    std::map<Key, std::set<FileID>> copies;
    auto key = [](const Site &site) {
      return Key{site.region.header, site.region.begin};
    };
    for (const Site &site : sites)
      copies[key(site)].insert(fileOf(site));
    for (Site &site : sites)
      if (copies[key(site)].size() > 1)
        site.refuse("header-region",
                    "this source includes the loop more than once");
  }

  /// What a template says is compiled for other arguments, too: no kernel may
  /// stand there without its condition.
  void refuseUntold(const std::vector<Site> &patterns) {
    auto isSamePlace = [&](const Site &a, const Site &b) {
      return a.region.begin == b.region.begin && fileOf(a) == fileOf(b);
    };
    for (Site &site : sites) {
      auto isOther = [&](const Site &other) {
        return &other != &site && isSamePlace(site, other);
      };
      if (site.region.choice.empty() &&
          (llvm::any_of(patterns, isOther) || llvm::any_of(sites, isOther)))
        site.refuse("template-region",
                    "the arguments of the template around it are not known");
      if (!site.printedType.empty() &&
          llvm::any_of(sites, [&](const Site &other) {
            return isOther(other) && other.hasLocalType;
          }))
        site.refuse("template-region", "'" + site.printedType +
                                           "' can't be named here, and a local "
                                           "type may be printed the same");
    }
  }

  const ParsedUnit &unit;
  std::vector<Site> &sites;
  const SourceManager &sources;
  std::map<FileID, std::string> headers;
};

} // namespace

void settleSites(const ParsedUnit &unit, std::vector<Site> &sites,
                  const std::vector<Site> &patterns) {
  Places(unit, sites).run(patterns);
}

} // namespace autokernel
