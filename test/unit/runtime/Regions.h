// Regions as emit would write them, for the tests.
#pragma once

#include "autokernel/dispatch.h"

#include <vector>

namespace autokernel::runtime {

/// Expressions in postfix order; the storage lives as long as the builder.
struct Build {
  std::vector<std::vector<Instr> *> storage;
  ~Build() {
    for (auto *s : storage)
      delete s;
  }
  Code code(std::vector<Instr> instrs) {
    storage.push_back(new std::vector<Instr>(std::move(instrs)));
    return {storage.back()->data(), unsigned(storage.back()->size())};
  }
};

inline Instr constant(int64_t v) { return {Op::Const, v}; }
inline Instr param(int64_t v) { return {Op::Param, v}; }
inline Instr counter(int64_t v) { return {Op::Counter, v}; }
inline Instr data(int64_t v) { return {Op::Data, v}; }
inline Instr op(Op o) { return {o, 0}; }

/// for (i = 0; i < n; ++i) y[i] = a * x[i] + y[i];  parameters n, a, x, y
struct Saxpy {
  Build b;
  unsigned path[1] = {0};
  ParamInfo params[4] = {
      {"n", Kind::Int, 4, false, Role::In, false, false, false, {}},
      {"a", Kind::Float, 4, false, Role::In, false, false, false, {}},
      {"x", Kind::Float, 4, true, Role::In, false, false, false, {}},
      {"y", Kind::Float, 4, true, Role::InOut, false, false, false, {}}};
  LoopCode loops[1] = {{b.code({constant(0)}),
                        b.code({param(0), constant(1), op(Op::Sub)}),
                        b.code({constant(1)})}};
  LoopFacts facts[1] = {{-1, false}};
  AccessCode accesses[3] = {
      {2, false, b.code({counter(0)}), path, 1, nullptr, 0},
      {3, false, b.code({counter(0)}), path, 1, nullptr, 0},
      {3, true, b.code({counter(0)}), path, 1, nullptr, 0}};
  Region region;

  static int launch(void *const *v, void *, size_t, void *) {
    int n = *static_cast<const int *>(v[0]);
    float a = *static_cast<const float *>(v[1]);
    auto *x = static_cast<const float *>(v[2]);
    auto *y = static_cast<float *>(v[3]);
    for (int i = 0; i < n; ++i)
      y[i] = a * x[i] + y[i];
    return 0;
  }

  Saxpy() {
    RegionInfo &r = region.info;
    r = {};
    r.name = "saxpy";
    r.file = "saxpy.cpp";
    r.line = 3;
    r.evidence = "emulator-verified";
    r.params = params;
    r.paramCount = 4;
    r.loops = loops;
    r.loopFacts = facts;
    r.loopCount = 1;
    r.accesses = accesses;
    r.accessCount = 3;
    r.largestIndex = INT32_MAX;
    r.launch = launch;
  }

  int call(int n, float a, const float *x, float *y) {
    Argument args[] = {scalar(&n), scalar(&a), array(x), array(y)};
    return dispatch(region, args);
  }
};

} // namespace autokernel::runtime
