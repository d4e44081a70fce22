#include "verify/Judge.h"

#include "verify/oracle/Bound.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>

namespace autokernel {

namespace {

std::string numberText(double v) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%.9g", v);
  return text;
}

FloatKind kindOf(const ElementType &type) {
  return type.bits == 32 ? FloatKind::Float : FloatKind::Double;
}

bool isMemoryKind(const std::string &kind) {
  return kind != "race" && kind != "divergent-barrier" && kind != "deadlock";
}

class Judge {
public:
  Judge(const Contract &contract, const std::vector<Case> &cases,
        const std::vector<OracleRecord> &oracle)
      : contract(contract) {
    for (const Case &c : cases)
      byNumber[c.number] = &c;
    for (const OracleRecord &r : oracle)
      expected[r.number] = &r;
  }

  Judgement run(const std::vector<RunnerRecord> &runner) {
    for (const RunnerRecord &r : runner) {
      if (!one(r))
        return std::move(result);
    }
    if (!allAnswered(runner))
      return std::move(result);
    if (result.cases == 0)
      return untestable("no case could be compared");
    if (!changed)
      return untestable("the loop changes nothing in any case");
    for (const auto &[param, count] : tallies)
      if (count.undecided > count.decided)
        return untestable("most of '" + contract.params[param].name +
                          "' is lost to rounding in the loop itself");
    result.verdict = Verdict::Verified;
    result.gates = {"memory", "race", "compare", "schedules", "ghost"};
    return std::move(result);
  }

private:
  Judgement untestable(const std::string &why) {
    result.verdict = Verdict::Unsupported;
    result.failure =
        Failure{"sanity", "untestable: " + why, {}, "", "", "", "", ""};
    return std::move(result);
  }

  /// A runner that ends early and quietly must not pass by the rest.
  bool allAnswered(const std::vector<RunnerRecord> &runner) {
    std::set<unsigned> answered;
    for (const RunnerRecord &r : runner)
      if (r.contract == 0)
        answered.insert(r.number);
    for (const auto &[number, record] : expected) {
      auto c = byNumber.find(number);
      if (c == byNumber.end() || !record->problem.empty() ||
          answered.count(number))
        continue;
      result.verdict = Verdict::NotVerified;
      Failure f;
      f.gate = "runner";
      f.message = "the kernel's process ended without the results of case " +
                  std::to_string(number);
      f.replay = caseText(contract, *c->second);
      result.failure = std::move(f);
      return false;
    }
    return true;
  }

  bool fail(const Case &c, Failure failure) {
    result.verdict = Verdict::Mismatch;
    failure.replay = caseText(contract, c);
    result.failure = std::move(failure);
    return false;
  }

  bool one(const RunnerRecord &r) {
    auto c = byNumber.find(r.number);
    auto e = expected.find(r.number);
    if (c == byNumber.end() || e == expected.end())
      return true;
    if (!e->second->problem.empty())
      return true; // outside what the loop defines
    if (!reports(r, *c->second))
      return false;
    if (!r.failure.empty())
      return fail(*c->second, {"memory", r.failure, {}, "", "", "", "", ""});
    ++result.cases;
    iterations = e->second->iterations;
    isChaotic = false;
    for (const OracleOutput &o : e->second->outputs)
      for (size_t i = 0; i < o.error.size(); ++i)
        isChaotic |= o.known[i] && !std::isfinite(double(o.error[i]));
    for (const OracleOutput &o : e->second->outputs)
      if (!output(r, o, *c->second))
        return false;
    return true;
  }

  bool reports(const RunnerRecord &r, const Case &c) {
    nlohmann::json list = nlohmann::json::parse(r.reports, nullptr, false);
    if (list.is_discarded() || !list.is_array())
      return fail(c, {"memory",
                      "the runner's report can't be read",
                      {},
                      "",
                      "",
                      "",
                      "",
                      ""});
    if (list.empty())
      return true;
    const nlohmann::json &first = list[0];
    std::string kind = first.value("kind", "?");
    Failure f;
    f.gate = isMemoryKind(kind) ? "memory" : "race";
    f.message = kind + ": " + first.value("message", "");
    f.place.file = first.value("file", "");
    f.place.line = first.value("line", 0u);
    f.place.column = first.value("column", 0u);
    result.verdict = Verdict::Mismatch;
    if (kind == "unsupported") {
      f.gate = "emulator";
      f.replay = caseText(contract, c);
      result.verdict = Verdict::Unsupported;
      result.failure = std::move(f);
      return false;
    }
    return fail(c, std::move(f));
  }

  bool output(const RunnerRecord &r, const OracleOutput &o, const Case &c) {
    const Param &param = contract.params[o.param];
    const RunnerOutput *got = nullptr;
    for (const RunnerOutput &candidate : r.outputs)
      if (candidate.param == o.param)
        got = &candidate;
    if (!got || got->bytes.size() != o.loop.size())
      return fail(c, {"compare",
                      "the output '" + param.name + "' is missing",
                      {},
                      "",
                      "",
                      "",
                      "",
                      ""});
    if (o.before != o.loop)
      changed = true;
    size_t size = param.type.bits / 8, count = o.loop.size() / size;
    result.largestSize = std::max(result.largestSize, int64_t(count));
    for (size_t i = 0; i < contract.params.size(); ++i)
      if (contract.params[i].sizeLike && i < c.integers.size())
        result.largestSize = std::max(result.largestSize, c.integers[i]);
    for (size_t i = 0; i < count; ++i)
      if (!element(o, *got, i, c))
        return false;
    if (!sameAsBefore(r, o, *got, c))
      return false;
    return true;
  }

  bool element(const OracleOutput &o, const RunnerOutput &got, size_t i,
               const Case &c) {
    const Param &param = contract.params[o.param];
    size_t size = param.type.bits / 8;
    const uint8_t *loop = o.loop.data() + i * size;
    const uint8_t *kernel = got.bytes.data() + i * size;
    ++tallies[o.param].decided;
    if (std::memcmp(loop, kernel, size) == 0)
      return true;
    bool isFloat = param.type.kind == ElementType::Float;
    double bound = 0;
    if (isFloat && !contract.tolerance.exact) {
      TwinValue twin;
      twin.Value = o.twin[i];
      twin.Magnitude = o.magnitude[i];
      twin.Error = o.error[i];
      twin.Known = o.known[i];
      CompareResult compared = compareElement(
          elementAsDouble(param.type, kernel),
          elementAsDouble(param.type, loop), twin, kindOf(param.type));
      bound = compared.Bound;
      if (compared.accepted() || withinUsers(compared, twin) ||
          isFlushed(compared, o)) {
        note(o, i, compared);
        return true;
      }
      if (isUndecidable(compared, twin, elementAsDouble(param.type, loop),
                        elementAsDouble(param.type, kernel), param.type)) {
        result.bitwise = false;
        --tallies[o.param].decided;
        ++tallies[o.param].undecided;
        return true;
      }
    }
    result.bitwise = false;
    Failure f;
    f.gate = "compare";
    f.element = elementName(o, i);
    f.got = elementText(param.type, kernel);
    f.expected = elementText(param.type, loop);
    f.bound = isFloat ? numberText(bound) : "0";
    f.message = f.element + " is " + f.got + ", expected " + f.expected +
                (isFloat ? " (bound " + f.bound + ")" : "");
    return fail(c, std::move(f));
  }

  /// The loop's own rounding errors may have reached any value: it divides by
  /// what was a difference of equals, or goes on with such a quotient.
  bool isUndecidable(const CompareResult &r, const TwinValue &twin, double loop,
                     double got, const ElementType &type) const {
    using Reason = CompareResult::Reason;
    double value = double(twin.Value);
    if (!twin.Known)
      return false;
    if (r.Why == Reason::NotExact)
      return !std::isfinite(r.Bound);
    if (r.Why != Reason::WrongInfinity && r.Why != Reason::WrongNaN)
      return false;
    // Exact arithmetic gives a number that the type has.
    double most = type.bits == 32 ? std::numeric_limits<float>::max()
                                  : std::numeric_limits<double>::max();
    if (isChaotic || (!std::isfinite(loop) && std::fabs(value) <= most))
      return true;
    // Overflow: infinity, or the difference of two, as the order has it.
    return !std::isfinite(loop) && !std::isfinite(got) && std::isfinite(value);
  }

  /// The user's own tolerance, relative to the sum of |terms|.
  bool withinUsers(const CompareResult &r, const TwinValue &twin) const {
    return contract.tolerance.relative && twin.Known &&
           r.Why == CompareResult::Reason::TooFar &&
           r.Distance <=
               *contract.tolerance.relative *
                   std::max(twin.Magnitude, std::fabs(double(twin.Value)));
  }

  /// Hardware adds single precision atomically with subnormals as zero: each of
  /// the loop's updates may lose less than the smallest normal number, twice.
  bool isFlushed(const CompareResult &r, const OracleOutput &o) const {
    const Param &param = contract.params[o.param];
    bool shared = std::any_of(
        contract.loops.begin(), contract.loops.end(), [&](const Loop &l) {
          return std::find(l.atomics.begin(), l.atomics.end(), param.name) !=
                 l.atomics.end();
        });
    return shared && param.type.bits == 32 &&
           (r.Why == CompareResult::Reason::TooFar ||
            r.Why == CompareResult::Reason::NotExact) &&
           r.Distance <= 0x1p-125 * iterations;
  }

  void note(const OracleOutput &o, size_t i, const CompareResult &compared) {
    result.bitwise = false; // also zeros of either sign and other NaNs
    if (compared.Why == CompareResult::Reason::Equal)
      return;
    if (!compared.accepted())
      return; // judged by another measure than the bound
    double share = compared.Bound > 0 ? compared.Distance / compared.Bound : 0;
    if (share > result.worstOfBound) {
      result.worstOfBound = share;
      result.worstElement = elementName(o, i);
    }
  }

  /// As the loop names it: arrays are passed from the first element touched.
  std::string elementName(const OracleOutput &o, size_t i) const {
    const Param &p = contract.params[o.param];
    return p.isArray
               ? p.name + "[" + std::to_string(o.first + int64_t(i)) + "]"
               : p.name;
  }

  /// Other schedules give the same bits, unless atomics leave the order free.
  bool sameAsBefore(const RunnerRecord &r, const OracleOutput &o,
                    const RunnerOutput &got, const Case &c) {
    auto key = std::pair(r.number * 2 + r.contract, o.param);
    auto [it, isNew] = firstRun.emplace(key, got.bytes);
    if (isNew || it->second == got.bytes || orderIsFree())
      return true;
    return fail(c, {"schedules",
                    "the output '" + contract.params[o.param].name +
                        "' depends on the order in which threads run",
                    {},
                    "",
                    "",
                    "",
                    "",
                    ""});
  }

  bool orderIsFree() const {
    return contract.floats.reassociate &&
           std::any_of(contract.loops.begin(), contract.loops.end(),
                       [](const Loop &l) { return !l.atomics.empty(); });
  }

  const Contract &contract;
  std::map<unsigned, const Case *> byNumber;
  std::map<unsigned, const OracleRecord *> expected;
  std::map<std::pair<unsigned, unsigned>, std::vector<uint8_t>> firstRun;
  struct Tally {
    uint64_t decided = 0, undecided = 0;
  };
  std::map<uint32_t, Tally> tallies; // by parameter
  bool changed = false;
  bool isChaotic = false; // in the present case: a divisor may be zero or not
  double iterations = 0;  // of the present case
  Judgement result;
};

} // namespace

Judgement judge(const Contract &contract, const std::vector<Case> &cases,
                const std::vector<OracleRecord> &oracle,
                const std::vector<RunnerRecord> &runner) {
  return Judge(contract, cases, oracle).run(runner);
}

} // namespace autokernel
