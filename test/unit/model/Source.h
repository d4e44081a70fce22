// A small source, analysed. Surface: analyseCpp(), analyseC(), Analysed.
#pragma once

#include "model/Analyse.h"

#include <gtest/gtest.h>

namespace autokernel::test {

struct Analysed {
  UnitResult unit;
  std::string error; // where the source doesn't compile

  /// The only region; it must have been taken.
  const Model &model() const;
  const Contract &contract() const { return model().contract; }
  /// Of the only region; it must have been refused.
  const Refusal &refusal() const;
  /// "" where the only region was taken, else the refusal's id.
  std::string refusedAs() const;

  const Param &param(const std::string &name) const;
  const Loop &loop(const std::string &counter) const;
  std::vector<std::string> ids() const;
};

Analysed analyseCpp(const std::string &text,
                    std::vector<std::string> flags = {"-std=c++17"});
Analysed analyseC(const std::string &text);

} // namespace autokernel::test
