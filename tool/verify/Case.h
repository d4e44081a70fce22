// One execution of a region that is compared: sizes, values and their regime.
//
// A Case is small and printable; everything else about it (the contents of all
// arrays) follows from it and the contract, in every process alike.
// Surface: Case, caseToJson(), caseFromJson(), InputSet, makeInputs().
#pragma once

#include "support/ContractJson.h"
#include "verify/Tables.h"

namespace autokernel {

enum class Regime {
  Uniform,      // [-1, 1)
  Positive,     // [0.5, 1.5)
  Integers,     // small whole numbers: many sums are exact
  Wide,         // +-2^[-20, 20]
  Cancellation, // x, -x and small differences
  Constant,     // one value
  Ties,         // few distinct values
  Denormal,
  SignedZero,
  Infinite, // a few infinities
  NaN,      // a few NaNs
  Offset    // far from zero, close to each other
};
constexpr unsigned RegimeCount = 12;
const char *regimeName(Regime regime);

enum class Indices { Random, Equal, Ascending, Descending };

struct Case {
  unsigned number = 0;
  uint64_t seed = 0;
  Regime regime = Regime::Uniform;
  Indices indices = Indices::Random;
  std::vector<int64_t> integers; // by parameter, integer scalars
  std::vector<double> reals;     // by parameter, floating scalars
  int64_t indexBound = 16;       // values of index arrays lie below
  bool nulls = false;            // nullable arrays are null
  unsigned misalign = 0;         // elements that arrays start off a boundary
  unsigned poison = 0xA5;        // bytes of memory that isn't set
  bool extremes = false;         // integers of all magnitudes
  bool large = false;
};

Json toJson(const Case &c);
llvm::Expected<Case> caseFromJson(const Json &json, const Contract &contract);
/// One line by which a person repeats the case.
std::string caseText(const Contract &contract, const Case &c);

/// Contents of one array; element `lo` comes first.
struct Buffer {
  int64_t lo = 0, count = 0;
  bool isNull = false;
  std::vector<uint8_t> bytes;
};

struct InputSet {
  std::vector<Buffer> arrays;    // by parameter
  std::vector<uint64_t> scalars; // by parameter, raw bits of the value
  double iterations = 0;
  int64_t elements = 0; // of the largest array
};

/// Nothing where the case lies outside the contract (a guard fails, an extent
/// is unknown or too large): at run time the loop would run.
std::optional<InputSet> makeInputs(const Contract &contract,
                                   const Tables &tables, const Case &c,
                                   int64_t maxElements, double maxIterations);

/// Elements of a type as numbers, and back.
double elementAsDouble(const ElementType &type, const uint8_t *p);
void storeElement(const ElementType &type, uint8_t *p, double value);
std::string elementText(const ElementType &type, const uint8_t *p);

} // namespace autokernel
