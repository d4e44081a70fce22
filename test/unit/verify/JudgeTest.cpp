// Records made by hand and what the judge makes of them.

#include "verify/Judge.h"
#include "Contracts.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace autokernel;
using namespace autokernel::tests;

namespace {

template <class T> std::vector<uint8_t> bytesOf(const std::vector<T> &values) {
  std::vector<uint8_t> out(values.size() * sizeof(T));
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

/// One case of three elements: the loop made `loop` from `before`.
template <class T> class Trial {
public:
  Trial(std::vector<T> before, std::vector<T> loop)
      : contract(mapContract(std::is_same_v<T, float> ? Float32 : Int32)) {
    Case c;
    c.integers = {3, 0, 0};
    c.reals.assign(3, 0);
    cases = {c};
    OracleOutput o;
    o.param = 2;
    o.before = bytesOf(before);
    o.loop = bytesOf(loop);
    if (std::is_same_v<T, float>)
      for (T v : loop) {
        o.twin.push_back(v);
        o.magnitude.push_back(std::fabs(double(v)));
        o.error.push_back(1e-7);
        o.known.push_back(1);
      }
    OracleRecord r;
    r.outputs = {o};
    oracle = {r};
  }

  RunnerRecord record(std::vector<T> kernel) {
    RunnerRecord r;
    r.reports = "[]";
    r.outputs = {{2, bytesOf(kernel)}};
    return r;
  }

  Judgement judge(std::vector<RunnerRecord> records) {
    return autokernel::judge(contract, cases, oracle, records);
  }
  Judgement judge(std::vector<T> kernel) { return judge({record(kernel)}); }

  Contract contract;
  std::vector<Case> cases;
  std::vector<OracleRecord> oracle;
};

const float NaN = std::nanf("");

Trial<float> floats() { return {{0, 0, 0}, {1, 2, 0}}; }

void expectMismatch(const Judgement &j, const std::string &gate) {
  EXPECT_EQ(j.verdict, Verdict::Mismatch);
  ASSERT_TRUE(j.failure);
  EXPECT_EQ(j.failure->gate, gate);
  EXPECT_FALSE(j.failure->replay.empty());
}

TEST(Judge, SameBitsAreVerified) {
  Judgement j = floats().judge({1.f, 2.f, 0.f});
  EXPECT_EQ(j.verdict, Verdict::Verified);
  EXPECT_TRUE(j.bitwise);
  EXPECT_EQ(j.cases, 1u);
  EXPECT_EQ(j.largestSize, 3);
}

TEST(Judge, RoundingIsAcceptedAndNoted) {
  Judgement j = floats().judge({1.f, std::nextafter(2.f, 3.f), 0.f});
  EXPECT_EQ(j.verdict, Verdict::Verified);
  EXPECT_FALSE(j.bitwise);
  EXPECT_GT(j.worstOfBound, 0);
  EXPECT_EQ(j.worstElement, "y[1]");
}

TEST(Judge, ExactMeansExact) {
  Trial<float> trial = floats();
  trial.contract.tolerance.exact = true;
  expectMismatch(trial.judge({1.f, std::nextafter(2.f, 3.f), 0.f}), "compare");
}

TEST(Judge, OffByOneElement) {
  Judgement j = floats().judge({2.f, 1.f, 0.f});
  expectMismatch(j, "compare");
  EXPECT_EQ(j.failure->element, "y[0]");
  EXPECT_EQ(j.failure->got, "2");
  EXPECT_EQ(j.failure->expected, "1");
}

TEST(Judge, NaNAgainstNumber) {
  expectMismatch(floats().judge({NaN, 2.f, 0.f}), "compare");
  Trial<float> other({0, 0, 0}, {NaN, 2, 0});
  expectMismatch(other.judge({1.f, 2.f, 0.f}), "compare");
  Judgement j = other.judge({-NaN, 2.f, 0.f});
  EXPECT_EQ(j.verdict, Verdict::Verified);
  EXPECT_FALSE(j.bitwise);
}

TEST(Judge, MissingOrShortOutput) {
  Trial<float> trial = floats();
  RunnerRecord r = trial.record({1.f, 2.f, 0.f});
  r.outputs.clear();
  expectMismatch(trial.judge(std::vector{r}), "compare");
  expectMismatch(trial.judge({1.f, 2.f}), "compare");
}

TEST(Judge, UnchangedElementsStay) {
  Trial<float> trial({5, 5, 5}, {1, 2, 5});
  Judgement j = trial.judge({1.f, 2.f, 6.f});
  expectMismatch(j, "compare");
  EXPECT_EQ(j.failure->element, "y[2]");
}

TEST(Judge, LoopThatChangesNothingSaysNothing) {
  Trial<float> trial({1, 2, 3}, {1, 2, 3});
  EXPECT_EQ(trial.judge({1.f, 2.f, 3.f}).verdict, Verdict::Unsupported);
}

TEST(Judge, RunnerThatEndsEarlyIsNotVerified) {
  Trial<float> trial = floats();
  RunnerRecord first = trial.record({1.f, 2.f, 0.f});
  trial.cases.push_back(trial.cases[0]);
  trial.cases[1].number = 1;
  trial.oracle.push_back(trial.oracle[0]);
  trial.oracle[1].number = 1;
  for (auto records : {std::vector<RunnerRecord>{}, std::vector{first}}) {
    Judgement j = trial.judge(records);
    EXPECT_EQ(j.verdict, Verdict::NotVerified);
    ASSERT_TRUE(j.failure);
    EXPECT_EQ(j.failure->gate, "runner");
    EXPECT_TRUE(j.gates.empty());
  }
  RunnerRecord second = first;
  second.number = 1;
  second.contract = 1; // the fused sample alone is no answer
  EXPECT_EQ(trial.judge({first, second}).verdict, Verdict::NotVerified);
  second.contract = 0;
  EXPECT_EQ(trial.judge({first, second}).verdict, Verdict::Verified);
  trial.oracle[1].problem = "the loop divides an integer by zero";
  EXPECT_EQ(trial.judge({first}).verdict, Verdict::Verified);
}

TEST(Judge, CasesOutsideTheLoopAreLeftOut) {
  Trial<float> trial = floats();
  trial.oracle[0].problem = "the loop divides an integer by zero";
  EXPECT_EQ(trial.judge({9.f, 9.f, 9.f}).verdict, Verdict::Unsupported);
}

TEST(Judge, ScheduleDependence) {
  Trial<float> trial = floats();
  RunnerRecord first = trial.record({1.f, 2.f, 0.f});
  RunnerRecord second = trial.record({1.f, std::nextafter(2.f, 3.f), 0.f});
  second.schedule = 1;
  expectMismatch(trial.judge(std::vector{first, second}), "schedules");
  trial.contract.loops[0].atomics = {"y"};
  EXPECT_EQ(trial.judge(std::vector{first, second}).verdict, Verdict::Verified);
}

TEST(Judge, IntegersHaveNoTolerance) {
  Trial<int32_t> trial({0, 0, 0}, {1, 2, 3});
  EXPECT_EQ(trial.judge({1, 2, 3}).verdict, Verdict::Verified);
  expectMismatch(trial.judge({1, 2, 4}), "compare");
}

TEST(Judge, ZerosOfEitherSign) {
  Judgement j = floats().judge({1.f, 2.f, -0.f});
  EXPECT_EQ(j.verdict, Verdict::Verified);
  EXPECT_FALSE(j.bitwise);
  Trial<float> exact = floats();
  exact.contract.tolerance.exact = true;
  expectMismatch(exact.judge({1.f, 2.f, -0.f}), "compare");
}

TEST(Judge, ReportsOfTheEmulator) {
  Trial<float> trial = floats();
  RunnerRecord r = trial.record({1.f, 2.f, 0.f});
  r.reports = R"([{"kind": "race", "message": "m", "line": 4}])";
  Judgement j = trial.judge(std::vector{r});
  expectMismatch(j, "race");
  EXPECT_EQ(j.failure->place.line, 4u);
  r.reports = R"([{"kind": "out-of-bounds-write", "message": "m"}])";
  expectMismatch(trial.judge(std::vector{r}), "memory");
  r.reports = R"([{"kind": "unsupported", "message": "m"}])";
  EXPECT_EQ(trial.judge(std::vector{r}).verdict, Verdict::Unsupported);
  for (const char *broken : {"", "{", "{}", "null"}) {
    r.reports = broken;
    expectMismatch(trial.judge(std::vector{r}), "memory");
  }
}

TEST(Judge, FailuresOfTheRunner) {
  Trial<float> trial = floats();
  RunnerRecord r = trial.record({1.f, 2.f, 0.f});
  r.failure = "the input 'x' was changed";
  expectMismatch(trial.judge(std::vector{r}), "memory");
}

} // namespace
