// Kernels from a model. Surface: isAgent(), produceByAgent(), showPrompt(),
// describeRegion(), transcriptPath(), agentWasStopped().
#pragma once

#include "Pipeline.h"

#include "llvm/Support/raw_ostream.h"

#include <functional>

namespace autokernel {

/// A generator that writes candidates by asking someone.
bool isAgent(const Options &options);

/// Region, attempt, seconds, what became of it.
using AttemptReport = std::function<void(const std::string &, unsigned, double,
                                         const std::string &)>;

/// Makes the template's kernel where there is none, then asks. What was
/// verified is stored; the transcript lies beside it.
llvm::Error produceByAgent(const Options &options, RegionStatus &status,
                           const KernelStore &store,
                           const AttemptReport &report);

/// Writes what would leave the machine.
llvm::Error showPrompt(const Options &options, RegionStatus &status,
                       llvm::raw_ostream &os);

/// What a writer of kernels is told about a region.
llvm::Expected<std::string> describeRegion(const Options &options,
                                           const RegionStatus &status);

/// Of a region, beside its kernel.
std::string transcriptPath(const KernelStore &store, const std::string &id);

bool agentWasStopped();

} // namespace autokernel
