// The contents of a case's arrays and scalars.

#include "verify/Case.h"
#include "verify/Random.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace autokernel {

namespace {

double special(Random &random, double value) {
  uint64_t kind = random.below(16);
  if (kind == 1)
    return random.below(2) ? 0.0 : -0.0; // which special values meet
  return kind == 0 ? (random.below(2) ? value : -value) : random.unit() * 2 - 1;
}

double wide(Random &random) {
  double magnitude = std::ldexp(1 + random.unit(), int(random.below(41)) - 20);
  return random.below(2) ? magnitude : -magnitude;
}

double realValue(Regime regime, Random &random, int64_t i, double constant,
                 unsigned bits) {
  double tiny = bits == 32 ? 0x1p-149 : 0x1p-1074;
  switch (regime) {
  case Regime::Uniform:
    return random.unit() * 2 - 1;
  case Regime::Positive:
    return random.unit() + 0.5;
  case Regime::Integers:
    return double(int64_t(random.below(9)) - 4);
  case Regime::Wide:
    return wide(random);
  case Regime::Cancellation:
    return (i % 2 ? -1 : 1) * (1 + double(random.below(3)) * 0x1p-20);
  case Regime::Constant:
    return constant;
  case Regime::Ties:
    return double(random.below(3)) * 0.5 - 0.5;
  case Regime::Denormal:
    return tiny * double(random.below(1000)) * (random.below(2) ? 1 : -1);
  case Regime::SignedZero:
    return random.below(3) == 0 ? 0.0 : random.below(2) ? -0.0 : 1.0;
  case Regime::Infinite:
    return special(random, std::numeric_limits<double>::infinity());
  case Regime::NaN:
    return special(random, std::numeric_limits<double>::quiet_NaN());
  case Regime::Offset:
    return (constant < 0 ? -1000 : 1000) + random.unit();
  }
  llvm_unreachable("all regimes are handled");
}

/// Of all magnitudes that doubles hold, in half of the arrays with the type's
/// ends. Loops that overflow leave the case undefined. In the regime of
/// cancellation sums fit in the loop's order and in few others.
int64_t extremeValue(const Case &c, const ElementType &type, Random &random,
                     int64_t i, bool ends) {
  unsigned bits = std::min(type.bits, 53u) - (type.kind == ElementType::Int);
  int64_t most = int64_t((uint64_t(1) << bits) - 1);
  int64_t least = type.kind == ElementType::Int ? -most - 1 : 0;
  if (type.bits > 53)
    least = -most; // also exact as a double
  if (c.regime == Regime::Cancellation && type.kind == ElementType::Int)
    return (i % 2 ? -1 : 1) * (most - int64_t(random.below(3)));
  if (uint64_t kind = random.below(8); ends && kind < 2)
    return kind == 0 ? least : most;
  int64_t v = int64_t(random.below(uint64_t(most) + 1));
  return random.below(2) ? std::max(least, -v) : v;
}

int64_t integerValue(const ElementType &type, Regime regime, Random &random,
                     int64_t constant) {
  // Products of a few of them still fit: overflow would be undefined.
  int64_t range = regime == Regime::Wide && type.bits >= 16 ? 20000 : 100;
  if (regime == Regime::Constant)
    return constant;
  if (regime == Regime::Ties)
    return int64_t(random.below(3));
  if (type.kind == ElementType::Bool)
    return int64_t(random.below(2));
  if (type.kind == ElementType::UInt)
    return int64_t(type.bits == 8 ? random.below(256) : random.below(range));
  return int64_t(random.below(2 * range + 1)) - range;
}

int64_t indexValue(const Case &c, Random &random, int64_t i, int64_t count) {
  int64_t bound = c.indexBound < 1 ? 1 : c.indexBound;
  switch (c.indices) {
  case Indices::Random:
    return int64_t(random.below(bound));
  case Indices::Equal:
    return bound - 1;
  case Indices::Ascending:
    return count > 1 ? i * (bound - 1) / (count - 1) : 0;
  case Indices::Descending:
    return count > 1 ? (count - 1 - i) * (bound - 1) / (count - 1) : 0;
  }
  llvm_unreachable("all are handled");
}

/// The user claims that iterations don't meet: arrays that say where they write
/// name each place once.
bool namesPlaces(const Contract &contract, unsigned array) {
  bool claimed = llvm::any_of(
      contract.loops, [](const Loop &l) { return l.order == Order::Claimed; });
  auto uses = [&](const Access &a) {
    return a.writes && llvm::any_of(a.index.code, [&](const Instr &i) {
             return i.op == Op::Data && i.value == int64_t(array);
           });
  };
  return claimed && llvm::any_of(contract.accesses, uses);
}

std::vector<int64_t> permutation(Indices kind, Random &random, int64_t count) {
  std::vector<int64_t> out(count);
  for (int64_t i = 0; i < count; ++i)
    out[i] = kind == Indices::Descending ? count - 1 - i : i;
  if (kind == Indices::Random || kind == Indices::Equal)
    for (int64_t i = count - 1; i > 0; --i)
      std::swap(out[i], out[random.below(i + 1)]);
  return out;
}

class Maker {
public:
  Maker(const Contract &contract, const Tables &tables, const Case &c,
        int64_t maxElements, double maxIterations)
      : contract(contract), tables(tables), c(c), maxElements(maxElements),
        maxIterations(maxIterations) {}

  std::optional<InputSet> run() {
    size_t n = contract.params.size();
    set.arrays.resize(n);
    set.scalars.resize(n);
    scalars.assign(n, 0);
    data.assign(n, Interval{0, 0, false});
    setScalars();
    // Index arrays first: the extents of the others depend on their values.
    for (bool indexLike : {true, false})
      for (unsigned p = 0; p < n; ++p)
        if (contract.params[p].isArray &&
            contract.params[p].indexLike == indexLike && !array(p))
          return std::nullopt;
    Env env = tables.env(scalars, data);
    set.iterations = tables.iterations(env);
    if (set.iterations > maxIterations || !tables.guardsHold(env))
      return std::nullopt;
    return std::move(set);
  }

private:
  void setScalars() {
    for (unsigned p = 0; p < contract.params.size(); ++p) {
      const Param &param = contract.params[p];
      if (param.isArray)
        continue;
      uint8_t raw[8] = {};
      if (param.type.kind == ElementType::Float)
        storeElement(param.type, raw, c.reals[p]);
      else
        std::memcpy(raw, &c.integers[p], param.type.bits / 8);
      std::memcpy(&set.scalars[p], raw, 8);
      scalars[p] = c.integers[p];
    }
  }

  bool array(unsigned p) {
    const Param &param = contract.params[p];
    Buffer &buffer = set.arrays[p];
    if (param.nullable && c.nulls) {
      buffer.isNull = true;
      return true;
    }
    Interval range = tables.touchedBy(tables.env(scalars, data), p);
    if (!range.known)
      return false;
    buffer.lo = range.empty() ? 0 : range.lo;
    if (!range.empty() &&
        (range.hi - range.lo >= maxElements || range.lo < -maxElements))
      return false;
    buffer.count = range.empty() ? 0 : range.hi - range.lo + 1;
    set.elements = std::max(set.elements, buffer.count);
    fill(p, buffer);
    return true;
  }

  void fill(unsigned p, Buffer &buffer) {
    const Param &param = contract.params[p];
    unsigned size = param.type.bits / 8;
    buffer.bytes.assign(size_t(buffer.count) * size, uint8_t(c.poison));
    if (param.role == Role::Out)
      return;
    Random random(c.seed * 1000003 + p);
    double constant = random.unit() * 4 - 2;
    int64_t whole = int64_t(random.below(5));
    std::vector<int64_t> places;
    if (namesPlaces(contract, p))
      places = permutation(c.indices, random, buffer.count);
    Interval values{INT64_MAX, INT64_MIN, true};
    for (int64_t i = 0; i < buffer.count; ++i) {
      uint8_t *at = buffer.bytes.data() + i * size;
      if (param.type.kind == ElementType::Float) {
        storeElement(param.type, at,
                     realValue(c.regime, random, i, constant, param.type.bits));
        continue;
      }
      int64_t v = !places.empty()   ? places[i]
                  : param.indexLike ? indexValue(c, random, i, buffer.count)
                  : c.extremes && param.type.kind != ElementType::Bool
                      ? extremeValue(c, param.type, random, i, whole % 2)
                      : integerValue(param.type, c.regime, random, whole);
      std::memcpy(at, &v, size);
      v = int64_t(elementAsDouble(param.type, at));
      values.lo = std::min(values.lo, v);
      values.hi = std::max(values.hi, v);
    }
    if (param.type.kind != ElementType::Float)
      data[p] = buffer.count ? values : Interval{};
  }

  const Contract &contract;
  const Tables &tables;
  const Case &c;
  int64_t maxElements;
  double maxIterations;
  InputSet set;
  std::vector<int64_t> scalars;
  std::vector<Interval> data;
};

} // namespace

std::optional<InputSet> makeInputs(const Contract &contract,
                                   const Tables &tables, const Case &c,
                                   int64_t maxElements, double maxIterations) {
  return Maker(contract, tables, c, maxElements, maxIterations).run();
}

} // namespace autokernel
