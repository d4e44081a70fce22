// How results are shown: lines for people, one JSON object for programs, and
// what is wrong for CI services.
// Surface: Output.
#pragma once

#include "Findings.h"
#include "Pipeline.h"
#include "support/ContractJson.h"

namespace autokernel {

class Output {
public:
  explicit Output(const Options &options) : options(options) {}

  void taken(const Model &model);
  void refused(const Refusal &refusal, const std::string &id = "");
  /// A misuse of the attribute: no region has come of it.
  void misuse(const Refusal &refusal) { refused(refusal); }
  void status(const RegionStatus &status);
  /// One attempt of a model at a region.
  void attempt(const std::string &id, unsigned number, double seconds,
               const std::string &what);
  /// Exit code 1 from now on.
  void fail() { code = 1; }
  /// Prints what a format for programs is made of; the exit code.
  int finish();

  /// A line of its own, in text format.
  void line(const std::string &text);

private:
  Json entry(const Region &region) const;

  const Options &options;
  Json regions = Json::array();
  std::vector<Finding> findings;
  int code = 0;
};

/// "verified on the emulator (212 cases, 3.1 s)" and the like.
std::string verdictText(const Evidence &evidence);
/// What failed, with its place in the candidate and the replay line.
std::string failureText(const Evidence &evidence);

} // namespace autokernel
