// What oracle and runner hand to the judge: one binary record a case.
//
// The three never share memory; a file that is cut short ends the list.
// Surface: Outcome and OracleRecord/RunnerRecord with write and read functions.
#pragma once

#include "llvm/Support/Error.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace autokernel {

/// An output of the loop: every element with the twin's view of it.
struct OracleOutput {
  uint32_t param = 0;
  std::vector<uint8_t> before, loop; // bytes of the elements
  std::vector<long double> twin;     // empty for integers
  std::vector<double> magnitude, error;
  std::vector<uint8_t> known;
  int64_t first = 0; // number of the first element in the program's array
};

struct OracleRecord {
  uint32_t number = 0;
  /// Empty, or why the case says nothing ("the loop divides by zero").
  std::string problem;
  double iterations = 0; // of all loops, at most
  std::vector<OracleOutput> outputs;
};

struct RunnerOutput {
  uint32_t param = 0;
  std::vector<uint8_t> bytes;
};

struct RunnerRecord {
  uint32_t number = 0;
  uint32_t schedule = 0, contract = 0;
  std::string reports; // JSON list; "[]" when clean
  std::string failure; // launch error or changed input, or empty
  std::vector<RunnerOutput> outputs;
};

llvm::Error writeRecord(std::FILE *file, const OracleRecord &record);
llvm::Error writeRecord(std::FILE *file, const RunnerRecord &record);
/// All whole records of a file.
llvm::Expected<std::vector<OracleRecord>> readOracle(const std::string &path);
llvm::Expected<std::vector<RunnerRecord>> readRunner(const std::string &path);

} // namespace autokernel
