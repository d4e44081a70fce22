// How a region's tree is cut into kernels. Internal to generate.
//
// A region becomes a list of phases, one kernel launch each (two for a
// reduction). Scalars that a phase leaves for a later one live in slots: the
// scalar results of the contract, and a struct in the workspace.
#pragma once

#include "Types.h"

#include "llvm/Support/Error.h"

#include <set>

namespace autokernel {

struct Slot {
  std::string name, type;
  bool isResult = false; // a scalar parameter's pointer, else the workspace
};

struct Phase {
  enum Kind { Map, Reduce, Rows, Single, Scan } kind = Map;
  std::vector<Node> prelude;    // pure declarations that it sees
  std::vector<unsigned> around; // loops of the launcher, outermost first
  std::vector<unsigned> loops;  // collapsed, outermost first; one block: none
  std::vector<Node> between;    // pure declarations between collapsed loops
  std::vector<Node> body;
  std::vector<Reduction> reductions;
  std::vector<Selection> selections;
  std::vector<Reduction> scans;
  std::set<std::string> atomics;
  std::set<std::string> ordered; // arrays whose last store counts
};

/// What the launcher does: launch a phase, or repeat steps in a loop.
struct Step {
  enum Kind { Launch, Repeat, Branch } kind = Launch;
  size_t phase = 0;
  unsigned loop = 0;
  std::string condition;
  std::vector<Node> prelude; // pure declarations that the loop's header sees
  std::vector<Step> steps, otherwise;
};

struct Plan {
  std::vector<Phase> phases;
  std::vector<Step> steps;
  std::vector<Slot> slots;
};

/// Phases.cpp
llvm::Expected<Plan> planPhases(const Model &model);
bool isParallel(const Contract &contract, const Node &node);
/// The block can share its iterations as they are.
bool isShareable(const Contract &contract, const Node &node);
bool hasParallelLoop(const Contract &contract, const std::vector<Node> &nodes);

/// Slots.cpp: which scalars one phase leaves for another.
llvm::Error findSlots(const Model &model, Plan &plan);
/// Whether a phase may read `name` before it sets it itself.
bool reads(const Contract &contract, const Phase &phase,
           const std::string &name);
bool assigns(const std::vector<Node> &nodes, const std::string &name);

/// Loops.cpp: pieces of code about counted loops.
std::string tripCountText(const Loop &loop);
std::string counterText(const Loop &loop, const std::string &item);
std::string loopHeader(const Loop &loop);
std::string sharedLoopHeader(const Loop &loop); // strided over the block

/// Body.cpp: statements for one thread; `atomics` names shared targets.
/// `keepMarks`: with the comments of markOf().
std::string bodyText(const Model &model, const std::vector<Node> &nodes,
                     const std::set<std::string> &atomics,
                     bool keepMarks = false);
bool atomicsArePrintable(const std::vector<Node> &nodes,
                         const std::set<std::string> &atomics);
/// Everything that the nodes say, for looking names up.
std::string allText(const Contract &contract, const std::vector<Node> &nodes);

/// Updates of one element by all iterations of a loop, as `x[i] += a[j]`: their
/// targets. Empty where the loop does anything else with shared elements.
std::vector<Node::Update> elementSums(const Contract &contract,
                                      const Node &loop);

/// Rows.cpp: statements for a block that shares one row; false where the nodes
/// can't be shared.
bool rowsText(const Model &model, const std::vector<Node> &nodes,
              const std::set<std::string> &atomics, std::string &out,
              std::set<std::string> &operators);

/// Operators.cpp
std::string identityOf(const Reduction &reduction);
std::string operatorName(const std::string &op);
std::string combineExpression(const std::string &op);
/// Of a thread's own share. Signed sums and products have an unsigned one: in
/// another order than the loop's, a part of them may not fit.
ElementType accumulatorOf(const Reduction &reduction);
/// `value`, an accumulator, as the reduction's own type.
std::string fromAccumulator(const Reduction &reduction,
                            const std::string &value);

/// Kernels.cpp
llvm::Expected<std::string> renderPlan(const Model &model, const Plan &plan);

llvm::Error generatorLimit(const std::string &message);

} // namespace autokernel
