#include "Source.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fstream>

namespace autokernel::test {

const Model &Analysed::model() const {
  static const Model none;
  EXPECT_EQ(error, "");
  EXPECT_EQ(unit.regions.size(), 1u);
  if (unit.regions.size() != 1)
    return none;
  const AnalysedRegion &region = unit.regions[0];
  EXPECT_TRUE(region.model)
      << (region.refusal ? region.refusal->id + ": " + region.refusal->message
                         : "neither model nor refusal");
  return region.model ? *region.model : none;
}

const Refusal &Analysed::refusal() const {
  static const Refusal none;
  EXPECT_EQ(error, "");
  EXPECT_EQ(unit.regions.size(), 1u);
  if (unit.regions.size() != 1 || !unit.regions[0].refusal) {
    ADD_FAILURE() << "the region was not refused";
    return none;
  }
  return *unit.regions[0].refusal;
}

std::string Analysed::refusedAs() const {
  EXPECT_EQ(error, "");
  EXPECT_EQ(unit.regions.size(), 1u);
  if (unit.regions.size() != 1 || !unit.regions[0].refusal)
    return "";
  return unit.regions[0].refusal->id;
}

const Param &Analysed::param(const std::string &name) const {
  static const Param none;
  const Param *found = contract().param(name);
  EXPECT_TRUE(found) << "no parameter " << name;
  return found ? *found : none;
}

const Loop &Analysed::loop(const std::string &counter) const {
  static const Loop none;
  for (const Loop &l : contract().loops)
    if (l.counter == counter)
      return l;
  ADD_FAILURE() << "no loop over " << counter;
  return none;
}

std::vector<std::string> Analysed::ids() const {
  std::vector<std::string> out;
  for (const AnalysedRegion &r : unit.regions)
    out.push_back(r.region.id);
  return out;
}

static Analysed analyseFile(const std::string &text, const char *suffix,
                            const std::vector<std::string> &flags) {
  Analysed out;
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("autokernel-test", folder)) {
    out.error = "no temporary folder";
    return out;
  }
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, std::string("unit") + suffix);
  std::ofstream(path.c_str()) << text;
  auto commands = findCommandsFor("", path.str().str(), flags);
  if (!commands) {
    out.error = llvm::toString(commands.takeError());
  } else if (auto result = analyse((*commands)[0])) {
    out.unit = std::move(*result);
  } else {
    out.error = llvm::toString(result.takeError());
  }
  llvm::sys::fs::remove_directories(folder);
  return out;
}

Analysed analyseCpp(const std::string &text, std::vector<std::string> flags) {
  return analyseFile(text, ".cpp", flags);
}

Analysed analyseC(const std::string &text) {
  return analyseFile(text, ".c", {"-std=c11"});
}

} // namespace autokernel::test
