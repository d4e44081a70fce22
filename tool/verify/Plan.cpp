#include "verify/Plan.h"

#include "verify/Random.h"

#include <algorithm>
#include <set>

namespace autokernel {

namespace {

// Around warps (32) and blocks (128, 256, 1024), primes, odd and empty.
constexpr int64_t Sizes[] = {
    0,   0,    0,    1,    2,    3,    5,    7,     8,     16,   31,  32,
    33,  63,   64,   65,   97,   127,  128,  129,   255,   256,  257, 511,
    509, 1000, 1023, 1024, 1025, 2049, 4097, 10007, 32768, 65537};
constexpr int64_t LargeSizes[] = {100003, 262144, 300007, 524288, 1000003};
// The last stands for as many as the arrays have elements.
constexpr int64_t IndexBounds[] = {1, 3, 7, 33, 100, 200, 1 << 16, 1 << 16};
constexpr int64_t SmallSizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17};
constexpr int64_t MiddleSizes[] = {15,  16,  31,  32,  33,  48,  63,
                                   64,  65,  96,  100, 127, 128, 129,
                                   200, 255, 256, 257, 300};

class Planner {
public:
  Planner(const Contract &contract, const Tables &tables,
          const PlanOptions &options)
      : contract(contract), tables(tables), options(options),
        random(options.seed) {
    for (unsigned p = 0; p < contract.params.size(); ++p)
      if (isSize(contract.params[p]))
        sizes.push_back(p);
  }

  std::vector<Case> run() {
    if (sizes.size() <= 1)
      everySize();
    else {
      combinations();
      elongated();
    }
    regimes();
    extremes(addsIntegers());
    large();
    return std::move(cases);
  }

private:
  static bool isSize(const Param &p) {
    return !p.isArray && p.role == Role::In && p.sizeLike && !p.derived &&
           p.type.kind != ElementType::Float;
  }

  // --- scalars ---

  Case blank(Regime regime) {
    Case c;
    c.number = cases.size();
    c.seed = random.next();
    c.regime = regime;
    c.indices = Indices(random.below(4));
    c.indexBound = random.pick(IndexBounds);
    c.nulls = random.below(3) == 0;
    c.misalign = unsigned(random.below(4));
    c.poison = random.below(2) ? 0xA5 : 0x7F;
    c.integers.assign(contract.params.size(), 0);
    c.reals.assign(contract.params.size(), 0);
    for (unsigned p = 0; p < contract.params.size(); ++p)
      if (!contract.params[p].isArray)
        setScalar(c, p);
    return c;
  }

  void setScalar(Case &c, unsigned p) {
    const Param &param = contract.params[p];
    if (param.type.kind == ElementType::Float) {
      double positive = random.unit() + 0.25;
      c.reals[p] = random.below(4) ? positive : random.unit() * 4 - 2;
      if (param.typical)
        c.reals[p] = *param.typical;
      return;
    }
    if (param.type.kind == ElementType::Bool)
      c.integers[p] = int64_t(random.below(2));
    else if (param.role != Role::In)
      c.integers[p] = startValue(param.type, c);
    else
      c.integers[p] = int64_t(random.below(9)) -
                      (param.type.kind == ElementType::Int ? 2 : 0);
  }

  /// What a result holds before the region.
  int64_t startValue(const ElementType &type, const Case &c) {
    if (type.kind == ElementType::UInt)
      return int64_t(random.below(7));
    if (!c.extremes || random.below(2))
      return int64_t(random.below(13)) - 6;
    return -(int64_t(1) << (std::min(type.bits, 53u) - 1)); // the least
  }

  /// Scalars that the function computes from others.
  void derive(Case &c) {
    std::vector<Interval> data(contract.params.size(), Interval{0, 0, false});
    for (unsigned p = 0; p < contract.params.size(); ++p) {
      const Param &param = contract.params[p];
      if (param.isArray || !param.derived)
        continue;
      Interval v = rangeOf(tables.env(c.integers, data),
                           Tables::code(*param.derived), nullptr, 0);
      if (v.known && !v.empty())
        c.integers[p] = v.lo;
    }
  }

  bool add(Case c, int64_t maxElements, double maxIterations) {
    derive(c);
    for (unsigned p : sizes)
      if (!fits(contract.params[p].type, c.integers[p]))
        return false;
    if (!lowerIndices(c, maxElements, maxIterations))
      return false;
    c.number = cases.size();
    cases.push_back(std::move(c));
    return true;
  }

  /// Lowers the bound of index values to the largest below which they stay
  /// inside declared extents; false where there is none.
  bool lowerIndices(Case &c, int64_t maxElements, double maxIterations) {
    auto fitsWith = [&](int64_t bound) {
      c.indexBound = bound;
      return makeInputs(contract, tables, c, maxElements, maxIterations)
          .has_value();
    };
    int64_t tooLarge = c.indexBound;
    if (fitsWith(tooLarge))
      return true;
    if (!hasIndices() || tooLarge <= 1 || !fitsWith(1))
      return false;
    int64_t fitting = 1;
    while (fitting + 1 < tooLarge) {
      int64_t middle = fitting + (tooLarge - fitting) / 2;
      (fitsWith(middle) ? fitting : tooLarge) = middle;
    }
    return fitsWith(fitting);
  }

  bool hasIndices() const {
    return std::any_of(contract.params.begin(), contract.params.end(),
                       [](const Param &p) { return p.indexLike; });
  }

  static bool fits(const ElementType &type, int64_t v) {
    if (type.kind == ElementType::UInt && v < 0)
      return false;
    unsigned bits = type.bits - (type.kind == ElementType::Int);
    return bits >= 63 ||
           (v < (int64_t(1) << bits) && v >= -(int64_t(1) << bits));
  }

  bool full() const { return cases.size() >= options.maxCases; }

  // --- one size: all of them ---

  void everySize() {
    for (int64_t n : Sizes) {
      if (full())
        return;
      Case c = blank(Regime::Uniform);
      for (unsigned p : sizes)
        c.integers[p] = n;
      add(c, options.maxElements, options.maxIterations);
      if (sizes.empty())
        return;
    }
  }

  // --- several sizes: drawn until they fit each other ---

  int64_t drawSize() {
    uint64_t kind = random.below(10);
    if (kind < 4)
      return random.pick(SmallSizes);
    return kind < 9 ? random.pick(MiddleSizes) : random.pick(Sizes);
  }

  void drawSizes(Case &c) {
    for (size_t i = 0; i < sizes.size(); ++i) {
      int64_t v = drawSize();
      // Often sizes depend on each other: equal, a multiple, a little more.
      if (i > 0 && random.below(3) == 0) {
        int64_t other = c.integers[sizes[random.below(i)]];
        const int64_t related[] = {other,     2 * other,
                                   3 * other, other + 1,
                                   other + 3, std::max<int64_t>(1, other / 4)};
        v = random.pick(related);
      }
      c.integers[sizes[i]] = v;
    }
  }

  void combinations() {
    std::set<std::vector<int64_t>> seen;
    unsigned wanted = std::min(options.maxCases / 2, 90u);
    for (unsigned tries = 0; tries < 6000 && cases.size() < wanted; ++tries) {
      Case c = blank(Regime::Uniform);
      drawSizes(c);
      if (seen.insert(c.integers).second)
        add(std::move(c), options.maxElements, options.maxIterations);
    }
  }

  /// One size large and the others small: kernels take other ways there.
  void elongated() {
    for (unsigned p : sizes)
      for (int64_t n : {1025, 4097, 16411}) {
        Case c = blank(Regime::Uniform);
        for (unsigned other : sizes)
          c.integers[other] = n > 5000 ? 1 : 1 + int64_t(random.below(3));
        c.integers[p] = n;
        add(std::move(c), options.maxElements, options.maxIterations);
      }
  }

  // --- every regime at sizes that were accepted ---

  std::vector<Case> withElements() const {
    std::vector<Case> base;
    for (const Case &c : cases) {
      auto inputs = makeInputs(contract, tables, c, options.maxElements,
                               options.maxIterations);
      if (inputs && inputs->elements > 0)
        base.push_back(c);
    }
    return base;
  }

  void regimes() {
    std::vector<Case> base = withElements();
    if (base.empty())
      return;
    for (unsigned s = 0; s < options.seeds; ++s)
      for (unsigned r = 0; r < RegimeCount; ++r) {
        if (full())
          return;
        bool odd = Regime(r) == Regime::Infinite || Regime(r) == Regime::NaN;
        if (odd && contract.floats.fastMath)
          continue; // the program's own flags leave it undefined
        Case c = blank(Regime(r));
        c.integers = base[random.below(base.size())].integers;
        add(std::move(c), options.maxElements, options.maxIterations);
      }
  }

  // --- integers of all magnitudes ---

  /// Most large values would make the loop's sums overflow.
  bool addsIntegers() const {
    auto adds = [](const std::string &op) {
      return op != "min" && op != "max";
    };
    for (const Loop &l : contract.loops)
      for (const Reduction &r : l.reductions)
        if (r.type.kind != ElementType::Float && adds(r.op))
          return true;
    for (const Access &a : contract.accesses)
      if (a.accumulates && adds(a.op))
        return true;
    return false;
  }

  /// Values that cancel suit sums, which most others would overflow.
  void extremes(bool cancels) {
    std::vector<Case> base = withElements();
    bool any = std::any_of(
        contract.params.begin(), contract.params.end(), [](const Param &p) {
          return p.type.kind != ElementType::Float && !p.indexLike &&
                 (p.isArray ? p.role != Role::Out : p.role == Role::InOut);
        });
    for (unsigned s = 0; any && !base.empty() && s < 2 * options.seeds; ++s) {
      Case c = blank(cancels ? Regime::Cancellation : Regime::Wide);
      c.extremes = true;
      c.integers = base[random.below(base.size())].integers;
      for (unsigned p = 0; p < contract.params.size(); ++p)
        if (const Param &param = contract.params[p];
            !param.isArray && param.role == Role::InOut &&
            param.type.kind == ElementType::Int)
          c.integers[p] = cancels ? 0 : startValue(param.type, c);
      add(std::move(c), options.maxElements, options.maxIterations);
    }
  }

  // --- a few large ones ---

  /// The largest one first, whatever else is drawn.
  int64_t largeSize(unsigned tries) {
    return tries == 0 ? *std::rbegin(LargeSizes) : random.pick(LargeSizes);
  }

  void large() {
    unsigned found = 0;
    for (unsigned tries = 0; tries < 400 && found < 3; ++tries) {
      Case c = blank(Regime::Positive);
      for (unsigned p : sizes)
        c.integers[p] = sizes.size() == 1      ? largeSize(tries)
                        : random.below(3) == 0 ? random.pick(Sizes)
                                               : random.pick(MiddleSizes);
      c.large = true;
      derive(c);
      auto inputs = makeInputs(contract, tables, c, options.largeElements,
                               options.largeIterations);
      if (!inputs || inputs->iterations < options.maxIterations)
        continue;
      found += add(c, options.largeElements, options.largeIterations);
    }
  }

  const Contract &contract;
  const Tables &tables;
  const PlanOptions &options;
  Random random;
  std::vector<unsigned> sizes;
  std::vector<Case> cases;
};

/// Every loop may run at all.
bool isLive(const Contract &contract, const Tables &tables, const Case &c,
            const PlanOptions &options) {
  auto inputs = makeInputs(contract, tables, c, options.largeElements,
                           options.largeIterations);
  std::vector<Interval> data(contract.params.size(), Interval{0, 0, false});
  return inputs && tables.everyLoopRuns(tables.env(c.integers, data));
}

} // namespace

std::vector<Case> planCases(const Contract &contract, const Tables &tables,
                            const PlanOptions &options) {
  std::vector<Case> cases = Planner(contract, tables, options).run();
  auto live = std::count_if(cases.begin(), cases.end(), [&](const Case &c) {
    return isLive(contract, tables, c, options);
  });
  if (live >= 8)
    return cases;
  // Constant trip counts make the least case dear: fewer and longer ones.
  PlanOptions longer = options;
  longer.maxIterations = options.largeIterations;
  longer.maxCases = std::min(options.maxCases, 60u);
  return Planner(contract, tables, longer).run();
}

} // namespace autokernel
