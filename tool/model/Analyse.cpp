#include "model/Analyse.h"

#include "model/Model.h"
#include "scan/Inclusions.h"

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
        SourceText text(unit);
        for (const Site &site : scanned.sites) {
          AnalysedRegion region;
          region.region = site.region;
          auto built = buildModel(unit, site, text);
          if (auto *model = std::get_if<Model>(&built))
            region.model = std::move(*model);
          else
            region.refusal = std::get<Refusal>(built);
          result.regions.push_back(std::move(region));
        }
        return llvm::Error::success();
      });
  if (error)
    return error;
  return result;
}

} // namespace autokernel
