// What generated dispatch code links against.
//
// A region's contract becomes constant tables (RegionInfo); every call brings
// its arguments and dispatch() answers whether the kernel has done the work.
// No header of CUDA is needed here: a launcher adaptor hides its types.
//
// Surface: RegionInfo and its parts, RegionState, Region, Argument,
// dispatch(), compareShadow(), workspaceBytes().
#pragma once

#include "autokernel/extent.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace autokernel::runtime {

enum class Kind : uint8_t { Bool, Int, UInt, Float };
enum class Role : uint8_t { In, Out, InOut };

struct ParamInfo {
  const char *name;
  Kind kind;
  uint8_t bytes;
  bool isArray;
  Role role;
  bool nullable;
  bool overwritten; // every element of the written range is written
  bool index;       // its values appear in codes as Op::Data
  Code extent;      // elements, where the user gave it
};

/// What is known about a loop beside its bounds.
struct LoopFacts {
  int parent;
  bool accumulates; // rounding errors pile up over its iterations
};

/// Holds when 0 <= value < below over the loops of `path`.
struct GuardCode {
  Code value, below;
  const unsigned *path;
  unsigned depth;
  const char *why;
};

/// `values` has one slot a parameter: the address of a scalar's value, or what
/// the launcher gets for an array or a scalar result. Answers a cudaError_t.
using Launch = int (*)(void *const *values, void *workspace, size_t bytes,
                       void *stream);
/// `extents` has one slot an array, in elements.
using Workspace = size_t (*)(void *const *values, const size_t *extents);

constexpr unsigned MaxParams = 64;

struct RegionInfo {
  const char *name, *file;
  unsigned line;
  const char *evidence; // "emulator-verified"
  const ParamInfo *params;
  unsigned paramCount;
  const LoopCode *loops;
  const LoopFacts *loopFacts;
  unsigned loopCount;
  const AccessCode *accesses;
  unsigned accessCount;
  const GuardCode *guards;
  unsigned guardCount;
  const Code *assumptions; // each non-negative
  unsigned assumptionCount;
  int64_t largestIndex; // the kernel isn't trusted beyond
  bool exact;
  double relative; // autokernel_tolerance, 0 when not given
  /// Iterations from which the kernel pays, 0: estimated (see Cost.h).
  int64_t breakEvenElements;
  Launch launch;
  Workspace workspace; // may be null
};

/// Counts over all threads; constant-initialised.
struct RegionState {
  std::atomic<bool> known{false}; // to the report at exit
  std::atomic<bool> disabled{false};
  std::atomic<uint64_t> calls{0};
  std::atomic<uint64_t> launches{0};
  std::atomic<uint64_t> compared{0};
  std::atomic<uint64_t> mismatches{0};
  std::atomic<double> worst{0}; // of the bound
  /// Why the loop ran when it last did, and the parameter concerned.
  std::atomic<const char *> reason{nullptr}, reasonFor{""};
  constexpr RegionState() = default;
};

struct Region {
  RegionInfo info;
  RegionState state;
};

/// One argument of a call.
struct Argument {
  void *address = nullptr; // array, or where the scalar is
  int64_t integer = 0;     // integer scalars
  bool fits = true;        // `integer` holds the value
};

inline Argument array(const void *p) { return {const_cast<void *>(p), 0}; }

template <class T> Argument scalar(T *p) {
  if constexpr (std::is_floating_point_v<T>)
    return {p, 0, true};
  else
    return {p, static_cast<int64_t>(*p),
            std::is_signed_v<T> || static_cast<uint64_t>(*p) <= INT64_MAX};
}

/// What the rewritten source does next.
enum Outcome : int { RunLoop = 0, Done = 1, RunLoopAndCompare = 2 };

int dispatch(Region &region, const Argument *arguments);

/// After RunLoopAndCompare and the loop: compares the kernel's results, kept by
/// this thread, with the loop's.
void compareShadow(Region &region);

/// Calls an autokernel_<id>_workspace function, which takes the scalars passed
/// by value and, if it wants them, the arrays' extents.
template <class... A, class... S, size_t... E>
size_t workspaceBytes(size_t (*f)(A...), std::tuple<S...> scalars,
                      const size_t *extents, std::index_sequence<E...>) {
  static_assert(sizeof...(A) == sizeof...(S) ||
                    sizeof...(A) == sizeof...(S) + sizeof...(E),
                "the workspace function takes the scalar parameters in order, "
                "and then perhaps the extents of all arrays");
  if constexpr (sizeof...(A) == sizeof...(S))
    return std::apply(f, scalars);
  else
    return std::apply(f, std::tuple_cat(scalars, std::tuple(extents[E]...)));
}

} // namespace autokernel::runtime
