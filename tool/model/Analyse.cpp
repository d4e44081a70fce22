#include "model/Analyse.h"

#include "model/Desugar.h"
#include "model/Model.h"
#include "scan/Inclusions.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/Path.h"

namespace autokernel {

llvm::Expected<std::vector<UnitCommand>>
findCommandsFor(const std::string &buildDir, const std::string &file,
                const std::vector<std::string> &flags) {
  auto commands = findCommands(buildDir, file, flags);
  if (!commands)
    return commands.takeError();
  std::vector<UnitCommand> result;
  for (const CompileCommand &c : *commands)
    result.push_back({c.directory, c.file, c.arguments});
  return result;
}

namespace {

/// So deep may calls be written out in each other.
constexpr unsigned MaxPasses = 12;

clang::FileID fileOf(const ParsedUnit &unit, const Site &site) {
  const clang::SourceManager &sources = unit.context.getSourceManager();
  return sources.getFileID(
      sources.getExpansionLoc(site.statement->getBeginLoc()));
}

llvm::StringRef textOf(const ParsedUnit &unit, const Site &site) {
  return unit.context.getSourceManager().getBufferData(fileOf(unit, site));
}

/// Absolute, so that the folder it is read from doesn't matter.
std::string pathOf(const ParsedUnit &unit, const Site &site) {
  const clang::SourceManager &sources = unit.context.getSourceManager();
  auto file = sources.getFileEntryRefForID(fileOf(unit, site));
  llvm::SmallString<256> path(file ? file->getName() : "");
  llvm::sys::path::make_absolute(unit.command.directory, path);
  return path.str().str();
}

/// Places in the source as it was written, and the region as it stands there.
void restore(AnalysedRegion &region, const Region &original,
             const RewrittenSource &source) {
  auto place = [&](SourcePlace &p) {
    if (p.file == original.place.file)
      source.restore(p);
  };
  region.region = original;
  if (region.refusal) {
    place(region.refusal->place);
    for (Refusal::Note &note : region.refusal->notes)
      place(note.place);
  }
  if (!region.model)
    return;
  region.model->region = original;
  region.model->contract.place = original.place;
  for (Loop &loop : region.model->contract.loops)
    place(loop.place);
  for (Access &access : region.model->contract.accesses)
    place(access.place);
}

using Wanted = llvm::function_ref<bool(size_t)>;

/// Of sites that are not wanted nothing but the region is answered.
std::vector<AnalysedRegion> modelSites(ParsedUnit &unit,
                                       const ScanResult &scanned,
                                       const CompileCommand &command,
                                       unsigned pass, Wanted wanted);

/// Parses the unit with calls written out in the file of `site` and answers its
/// regions; none where the text didn't reach the compiler.
llvm::Expected<std::vector<AnalysedRegion>>
parseAgain(ParsedUnit &unit, const Site &site, const RewrittenSource &source,
           const CompileCommand &command, unsigned pass, Wanted wanted) {
  std::vector<AnalysedRegion> regions;
  CompileCommand own = command;
  // What a member function may name, the text of its body may, too.
  own.arguments.insert(own.arguments.begin() + 1,
                       {"-fno-access-control", "-fno-caret-diagnostics"});
  auto use = [&](ParsedUnit &again) -> llvm::Error {
    ScanResult scanned = findSites(again);
    for (size_t i = 0; i < scanned.sites.size(); ++i)
      if (wanted(i) && textOf(again, scanned.sites[i]) != source.text())
        return llvm::Error::success();
    regions = modelSites(again, scanned, command, pass + 1, wanted);
    return llvm::Error::success();
  };
  if (llvm::Error error =
          withUnit(own, use, {{pathOf(unit, site), source.text()}}))
    return error;
  return regions;
}

/// The first error that Clang printed.
std::string reasonOf(llvm::StringRef text) {
  llvm::StringRef error = text.split("error: ").second.split('\n').first;
  return error.empty() ? text.str() : error.str();
}

Refusal cantExpand(const Site &site, const std::string &why) {
  return {"call-unsupported",
          site.region.place,
          "the region's calls can't be written out: " + why,
          {}};
}

using Numbered = std::map<size_t, AnalysedRegion>;

/// Regions of the sites `changed`, which stand in one file.
Numbered modelChanged(ParsedUnit &unit, const std::vector<Site> &sites,
                      const std::set<size_t> &changed,
                      std::vector<RewrittenSource::Edit> edits,
                      const CompileCommand &command, unsigned pass) {
  Numbered out;
  const Site &first = sites[*changed.begin()];
  RewrittenSource source(textOf(unit, first), std::move(edits));
  auto regions = parseAgain(unit, first, source, command, pass,
                            [&](size_t i) { return changed.count(i) > 0; });
  std::string why = "they are nested too deep";
  if (!regions)
    why = reasonOf(llvm::toString(regions.takeError()));
  bool isUsable = regions && regions->size() == sites.size();
  for (size_t i : changed) {
    out[i] = {sites[i].region, std::nullopt, cantExpand(sites[i], why)};
    if (!isUsable)
      continue;
    out[i] = std::move((*regions)[i]);
    restore(out[i], sites[i].region, source);
  }
  if (isUsable || changed.size() == 1)
    return out;
  return {}; // one of them is at fault
}

/// Regions by number, of those that `wanted` answers true for and that have
/// something to be written out.
Numbered modelDesugared(ParsedUnit &unit, const std::vector<Site> &sites,
                        const SourceText &text, const CompileCommand &command,
                        unsigned pass, Wanted wanted) {
  Numbered out;
  std::vector<Desugared> all;
  std::set<size_t> together;
  std::vector<RewrittenSource::Edit> edits;
  for (size_t i = 0; i < sites.size(); ++i) {
    all.push_back(wanted(i) ? desugar(unit, sites[i], text) : Desugared());
    if (all[i].refusal)
      out[i] = {sites[i].region, std::nullopt, all[i].refusal};
    // Instantiations share their text, and headers are other files.
    bool isOwn = sites[i].region.header.empty() && sites[i].suffix.empty();
    if (all[i].edits.empty() || !isOwn)
      continue;
    together.insert(i);
    edits.insert(edits.end(), all[i].edits.begin(), all[i].edits.end());
  }
  if (!together.empty())
    out.merge(modelChanged(unit, sites, together, edits, command, pass));
  for (size_t i = 0; i < sites.size(); ++i)
    if (!all[i].edits.empty() && !out.count(i))
      out.merge(modelChanged(unit, sites, {i}, all[i].edits, command, pass));
  return out;
}

std::vector<AnalysedRegion> modelSites(ParsedUnit &unit,
                                       const ScanResult &scanned,
                                       const CompileCommand &command,
                                       unsigned pass, Wanted wanted) {
  std::vector<AnalysedRegion> result;
  if (scanned.sites.empty() || pass > MaxPasses)
    return result;
  SourceText text(unit);
  auto desugared =
      modelDesugared(unit, scanned.sites, text, command, pass, wanted);
  for (size_t i = 0; i < scanned.sites.size(); ++i) {
    if (auto it = desugared.find(i); it != desugared.end()) {
      result.push_back(std::move(it->second));
      continue;
    }
    AnalysedRegion region;
    region.region = scanned.sites[i].region;
    if (!wanted(i)) {
      result.push_back(std::move(region));
      continue;
    }
    auto built = buildModel(unit, scanned.sites[i], text);
    if (auto *model = std::get_if<Model>(&built))
      region.model = std::move(*model);
    else
      region.refusal = std::get<Refusal>(built);
    result.push_back(std::move(region));
  }
  return result;
}

} // namespace

llvm::Expected<UnitResult> analyse(const UnitCommand &command) {
  UnitResult result;
  result.command = command;
  CompileCommand clangCommand{command.directory, command.file,
                              command.arguments};
  llvm::Error error =
      withUnit(clangCommand, [&](ParsedUnit &unit) -> llvm::Error {
        ScanResult scanned = findSites(unit);
        result.dependencies = unit.dependencies;
        result.misuses = std::move(scanned.misuses);
        if (scanned.sites.empty())
          return llvm::Error::success();
        if (!scanned.sites.back().region.header.empty())
          result.inclusions = inclusionsOf(unit);
        result.regions = modelSites(unit, scanned, clangCommand, 0,
                                    [](size_t) { return true; });
        return llvm::Error::success();
      });
  if (error)
    return error;
  return result;
}

} // namespace autokernel
