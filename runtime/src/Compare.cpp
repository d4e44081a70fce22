#include "Shadow.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace autokernel::runtime {
namespace {

constexpr double Infinity = std::numeric_limits<double>::infinity();

template <class T> T load(const char *p, size_t i) {
  T v;
  std::memcpy(&v, p + i * sizeof(T), sizeof(T));
  return v;
}

template <class T> double largestMagnitude(const char *p, size_t count) {
  double m = 0;
  for (size_t i = 0; i < count; ++i) {
    double a = std::fabs(double(load<T>(p, i)));
    m = std::isfinite(a) && a > m ? a : m;
  }
  return m;
}

/// 0 when equal, infinite when no bound could excuse it.
template <class T> double error(T kernel, T loop) {
  if (std::isnan(kernel) || std::isnan(loop))
    return std::isnan(kernel) == std::isnan(loop) ? 0 : Infinity;
  if (kernel == loop)
    return 0;
  if (std::isinf(kernel) || std::isinf(loop))
    return Infinity;
  return std::fabs(double(kernel) - double(loop));
}

void note(Comparison &c, double ofBound, size_t at) {
  if (!(ofBound <= 1))
    ++c.mismatches;
  if (!(ofBound <= c.worst)) {
    c.worst = ofBound;
    c.worstAt = at;
  }
}

template <class T>
Comparison compareFloats(const char *kernel, const char *loop, size_t count,
                         double factor) {
  double bound = factor * largestMagnitude<T>(loop, count);
  bound = std::max(bound, factor * double(std::numeric_limits<T>::min()));
  Comparison c;
  for (size_t i = 0; i < count; ++i)
    if (double e = error(load<T>(kernel, i), load<T>(loop, i)))
      note(c, e / bound, i);
  return c;
}

Comparison compareExactly(const char *kernel, const char *loop, size_t count,
                          size_t bytes) {
  Comparison c;
  for (size_t i = 0; i < count; ++i)
    if (std::memcmp(kernel + i * bytes, loop + i * bytes, bytes))
      note(c, Infinity, i);
  return c;
}

} // namespace

double allowedUlps(double depth) { return 16 + 4 * std::sqrt(depth); }

Comparison compareResults(const ParamInfo &param, const char *kernel,
                          const char *loop, size_t count, double ulps,
                          double relative) {
  bool exact = ulps == 0 && relative == 0;
  auto factor = [&](double epsilon) {
    return relative > 0 ? relative : ulps * epsilon;
  };
  if (param.kind == Kind::Float && param.bytes == 4 && !exact)
    return compareFloats<float>(kernel, loop, count,
                                factor(std::numeric_limits<float>::epsilon()));
  if (param.kind == Kind::Float && param.bytes == 8 && !exact)
    return compareFloats<double>(
        kernel, loop, count, factor(std::numeric_limits<double>::epsilon()));
  return compareExactly(kernel, loop, count, param.bytes);
}

} // namespace autokernel::runtime
