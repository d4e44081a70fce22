// The values that flow from stage to stage.
//
// scan gives Regions, model gives a Model (the Contract, the reference and the
// generator's view of the loop nest) or a Refusal, generate gives a Candidate,
// verify an Evidence with a Verdict. A Contract and an Evidence are what
// touches disk as JSON (support/ContractJson.h); nothing here knows Clang.
#pragma once

#include "autokernel/extent.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace autokernel {

/// Changes whenever the launcher's calling convention does.
inline constexpr unsigned AbiVersion = 1;

struct SourcePlace {
  std::string file; // as the compile command spells it
  unsigned line = 0, column = 0;
};

// --- scan -------------------------------------------------------------------

/// An annotated statement or function body and what its clauses say.
struct Region {
  std::string id;       // unique in its source file; part of symbols
  std::string function; // enclosing function, for people
  SourcePlace place;    // of the statement
  SourcePlace attribute;
  unsigned begin = 0, end = 0; // byte offsets of the statement in its file
  /// Of `[[...]]`; both 0 where a macro wrote it.
  unsigned attributeBegin = 0, attributeEnd = 0;
  bool isC = false;
  /// Real path of the header that it stands in; empty: in the source itself.
  std::string header;
  /// Of an instantiation: the C++ condition that tells it apart at the place.
  std::string choice;
};

/// An #include that was followed, or skipped as its file was there already.
struct Inclusion {
  /// Real path of the file with the directive; empty: the source itself.
  std::string from;
  unsigned begin = 0, end = 0; // from the word "include" to the name's end
  std::string file;            // real path of what it names
  bool quoted = false;         // "name", not <name>
  bool system = false;         // the file counts as a system header
};
/// `from` of what the command line includes, a precompiled header for one.
inline constexpr char CommandLineFile[] = "<command line>";

/// Why a region can't be taken. `id` is an entry of model/Refusals.def.
struct Refusal {
  std::string id;
  SourcePlace place;
  std::string message;
  struct Note {
    SourcePlace place;
    std::string message;
  };
  std::vector<Note> notes;
  /// What would mend it: `length` bytes at `place` become `text`.
  struct Fix {
    SourcePlace place;
    unsigned length = 0;
    std::string text;
  };
  std::vector<Fix> fixes = {};
};

// --- model ------------------------------------------------------------------

/// A built-in arithmetic type. `spelling` is valid C and C++.
struct ElementType {
  enum Kind { Bool, Int, UInt, Float } kind = Int;
  unsigned bits = 32;
  std::string spelling = "int";
  bool operator==(const ElementType &) const = default;
};

/// An integer expression over scalar parameters and loop counters, in postfix
/// order, with the text it was written as.
struct IndexExpr {
  std::vector<Instr> code;
  std::string text;
  bool known() const {
    for (const Instr &i : code)
      if (i.op == Op::Unknown)
        return false;
    return !code.empty();
  }
};

enum class Role { In, Out, InOut };

struct Param {
  std::string name;
  ElementType type;
  bool isArray = false;
  Role role = Role::In;
  /// Arrays: compared with null in the region, so null is a possible value.
  bool nullable = false;
  /// Scalars: appears in a loop bound, a subscript or a condition on counters.
  bool sizeLike = false;
  /// Arrays: the values are used in subscripts or loop bounds.
  bool indexLike = false;
  /// Arrays: extent given by the user, in elements.
  std::optional<IndexExpr> extent;
  /// Arrays: every element of the written range is written whatever it held.
  bool overwritten = false;
  /// Scalars: what the function computes it from, or its constant value, where
  /// its declaration says so. For choosing sensible test values only.
  std::optional<IndexExpr> derived;
  std::optional<double> typical;
  /// What the call site passes for it; type-checked by the user's compiler.
  std::string argument;
  /// As the reference declares it, e.g. "float (*A)[40]"; empty: from type.
  std::string declaration;
};

enum class Order {
  Sequential, // iterations depend on each other or nothing is known
  Proved,     // independent, by analysis (perhaps with guards)
  Claimed     // independent, says the user
};

struct Reduction {
  std::string variable;
  std::string op; // + * min max & | ^ && ||
  ElementType type;
};

/// Scalars that one iteration of a loop decides: the last one that assigns
/// them, or the one whose candidate for `key` is best.
struct Selection {
  std::string key;   // among the variables; empty: the last one that assigns
  std::string op;    // of "candidate op key": < > (first best), <= >= (last)
  unsigned mark = 0; // of the statement in the tree that stands for the choice
  std::vector<Reduction> variables; // their `op` is empty
};

/// Stands in the tree's text before an assignment that makes a choice.
inline std::string markOf(unsigned mark) {
  return "/*autokernel:chosen " + std::to_string(mark) + "*/";
}

struct Loop {
  unsigned id = 0;
  int parent = -1; // enclosing loop
  std::string counter;
  ElementType counterType;
  IndexExpr first, last, step; // last: inclusive bound; step < 0 counts down
  std::string firstText;       // as source expressions, for code
  std::string boundText;       // the compared-with expression as written
  std::string comparison;      // < <= > >= !=
  std::string stepText;        // positive amount
  bool down = false;
  bool counterOutside = false; // declared before the region
  Order order = Order::Sequential;
  std::vector<Reduction> reductions;
  /// Arrays that this loop accumulates into from several iterations.
  std::vector<std::string> atomics;
  std::vector<Selection> selections;
  /// Scalars whose running totals the iterations store, or store at.
  std::vector<Reduction> scans;
  /// Arrays whose elements keep what the last of several iterations stores.
  std::vector<std::string> ordered;
  std::string why; // what decided `order`, for people
  SourcePlace place;
};

struct Access {
  std::string array;
  bool writes = false;
  bool accumulates = false; // part of an update `a[i] op= e`
  std::string op;           // of that update
  IndexExpr index;          // in elements, from the parameter's value
  std::vector<unsigned> path;
  std::vector<IndexExpr> conditions; // each >= 0 where the access happens
  SourcePlace place;
};

/// Checked at every call: 0 <= value < below over the loops of `path`.
struct RangeGuard {
  IndexExpr value, below;
  std::vector<unsigned> path;
  std::string why;
};

struct FloatSemantics {
  std::string contract = "on"; // off, on, fast: -ffp-contract of the unit
  bool fastMath = false;
  bool reassociate = true; // reductions may be reordered
};

/// How much of the result may depend on rounding.
struct Tolerance {
  bool exact = false;             // autokernel_exact
  std::optional<double> relative; // autokernel_tolerance(x)
};

struct Contract {
  std::string id, function;
  SourcePlace place;
  bool isC = false;
  std::string regionClass; // map, reduction, rows, scatter, sequence
  std::vector<Param> params;
  std::vector<Loop> loops;
  std::vector<Access> accesses;
  std::vector<RangeGuard> guards;
  std::vector<IndexExpr> assumptions; // each >= 0: autokernel_assume
  FloatSemantics floats;
  Tolerance tolerance;
  std::string fingerprint; // 32 hex digits

  const Param *param(const std::string &name) const {
    for (const Param &p : params)
      if (p.name == name)
        return &p;
    return nullptr;
  }
};

/// The region as a tree of loops and straight code, for generators that write
/// the kernel from it. All text is CUDA C++ already.
struct Node {
  enum Kind { Block, LoopNest, If, Text } kind = Text;
  std::string text;  // Text: statements; If: condition
  unsigned loop = 0; // LoopNest: index into Contract::loops
  std::vector<Node> body, otherwise;
  /// Text: locals declared here that later siblings use.
  struct Local {
    std::string name, type, init;
    bool pure = false; // depends on scalar parameters and counters only
    bool isPointer = false, isArray = false;
    std::string base; // array that a pointer points into
  };
  std::vector<Local> locals;
  /// Text: an update `target op= operand` of an array's element.
  struct Update {
    std::string target, operand, op; // operand empty: 1
    bool negative = false;           // subtracts
    ElementType type;
  };
  std::optional<Update> update;
  /// Text: `target = value` for an element of an array, in loops with
  /// Loop::ordered or Loop::scans.
  struct Store {
    std::string target, value;
    std::string advance; // what the statement does besides: "k++;"
  };
  std::optional<Store> store;
  std::vector<std::string> reads, writes;        // arrays, here and below
  std::vector<std::string> assigns, scalarReads; // scalars that change
};

struct Model {
  Region region;
  Contract contract;
  Node root;
  /// Types, constants and functions the kernel needs, as CUDA C++.
  std::string deviceSupport;
  std::string reference;     // whole file
  std::string referenceFile; // its name in the store
  std::string summary;       // one sentence: what the loop does
  /// Scalars from outside that are local to the region.
  std::vector<Node::Local> privates;
  /// Arrays that are read only but whose kernel parameter can't be const.
  std::vector<std::string> mutableInKernel;
  std::vector<std::string> compileArgs;
  /// Counters of outermost loops that live on: name -> C++ text of the value.
  std::map<std::string, std::string> finalCounters;
};

// --- generate, compile, verify ---------------------------------------------

struct Candidate {
  std::string id;
  std::string source;  // whole .cu
  std::string origin;  // "template map, version 1", "anthropic <model>"
  std::string mapping; // how iterations become threads, in words
  unsigned attempt = 1;
};

enum class Verdict {
  Verified,
  Mismatch,
  Rejected,
  NotVerified,
  Unsupported,
  Error
};

struct ResourceSummary {
  std::string kernel, architecture;
  unsigned registers = 0, spillBytes = 0, sharedBytes = 0, stackBytes = 0;
};

/// A first failure, precise enough to act on.
struct Failure {
  std::string gate; // rules, compile, memory, race, compare, ghost, ...
  std::string message;
  SourcePlace place;   // in the candidate, where there is one
  std::string element; // "y[4095]"
  std::string got, expected, bound;
  std::string replay; // the case as text
};

struct Evidence {
  Verdict verdict = Verdict::NotVerified;
  std::string where; // emulator, gpu
  std::string device, compiler, toolVersion;
  std::string fingerprint, kernelDigest;
  uint64_t seed = 0;
  unsigned cases = 0;
  int64_t largestSize = 0;
  double worstOfBound = 0; // 1 would be at the bound
  std::string worstElement;
  bool bitwise = false; // all outputs equal bit for bit
  std::vector<std::string> gates;
  std::vector<ResourceSummary> resources;
  std::optional<Failure> failure;
  double seconds = 0; // not stored
};

struct Attempt {
  unsigned number = 1;
  std::string origin;
  Verdict verdict = Verdict::NotVerified;
  std::string reason;
};

// --- store ------------------------------------------------------------------

enum class StoreState { Fresh, Missing, Stale, Unverified, Refused, Orphan };

struct StoredKernel {
  Contract contract;
  std::vector<Evidence> evidence; // one a place: emulator, gpu
  std::vector<Attempt> attempts;
  std::string origin, mapping;
  std::string source;    // the .cu
  std::string reference; // the .reference.*
};

} // namespace autokernel
