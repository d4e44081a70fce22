// The stages in their order; the only code that knows more than one.
//
// Surface: analyseFile(), stateOfRegion(), produceKernel(), judgeCandidate().
#pragma once

#include "Options.h"
#include "Types.h"
#include "model/Analyse.h"
#include "store/Store.h"

namespace autokernel {

/// The unit of `file` under its first compile command.
llvm::Expected<UnitResult> analyseFile(const Options &options,
                                       const std::string &file);

/// Default: "autokernel" beside the source.
std::string kernelFolder(const Options &options, const std::string &file);

/// A region with what the store knows of it.
struct RegionStatus {
  Region region;
  std::optional<Model> model;
  std::optional<Refusal> refusal;
  StoreState state = StoreState::Missing;
  std::string reason;
  std::optional<StoredKernel> kernel; // as stored

  /// After an attempt to make one: what happened last.
  std::optional<Evidence> attempt;
  std::string attemptOrigin;
  bool isNew = false;
};

llvm::Expected<RegionStatus> statusOf(const Options &options,
                                      const AnalysedRegion &region,
                                      const KernelStore &store);

/// Rules, nvcc where there is one, emulator. What is wrong with the candidate
/// is in the evidence.
llvm::Expected<Evidence> judgeCandidate(const Options &options,
                                        const Model &model,
                                        const std::string &source,
                                        const std::string &fileName);

/// Rules and nvcc only; no verdict but rejected or error.
llvm::Expected<Evidence> compileCandidate(const Options &options,
                                          const Model &model,
                                          const std::string &source,
                                          const std::string &fileName);

/// Generates, judges and, if verified, stores. The status tells the result.
llvm::Error produceKernel(const Options &options, RegionStatus &status,
                          const KernelStore &store);

/// Stores a verified candidate, whose evidence is the status's attempt.
llvm::Error keepKernel(RegionStatus &status, const KernelStore &store,
                       const Candidate &candidate,
                       const std::vector<Attempt> &attempts);

/// Judges the stored kernel again (an edited one too) and stores the evidence.
llvm::Error reverifyKernel(const Options &options, RegionStatus &status,
                           const KernelStore &store);

/// The status as if the candidate were stored, so that it can be bundled; the
/// reason where it breaks a rule.
llvm::Expected<std::optional<Failure>> takeCandidate(RegionStatus &status,
                                                     const std::string &source,
                                                     const std::string &path);

/// Packs the verification of the stored kernel into a program.
llvm::Error bundleKernel(const Options &options, const RegionStatus &status,
                         const std::string &output);

std::string toolVersion();

} // namespace autokernel
