// Interval evaluation must never trap, whatever code and scalars it gets.
#include "autokernel/extent.h"

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

using namespace autokernel;

namespace {

/// Reads values from the fuzzer's bytes; zeros when they are used up.
struct Bytes {
  const uint8_t *at, *end;

  uint8_t byte() { return at == end ? 0 : *at++; }
  unsigned below(unsigned n) { return byte() % n; }
  int64_t number() {
    if (below(2))
      return int8_t(byte());
    int64_t v = 0;
    size_t n = size_t(end - at) < sizeof v ? end - at : sizeof v;
    std::memcpy(&v, at, n);
    at += n;
    return v;
  }
  std::vector<Instr> code() {
    std::vector<Instr> out(below(12));
    for (Instr &i : out) {
      i.op = Op(below(unsigned(Op::Unknown) + 1));
      i.value = i.op == Op::Const ? number() : below(3);
    }
    return out;
  }
};

Code view(const std::vector<Instr> &code) {
  return {code.data(), unsigned(code.size())};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes in{data, data + size};
  int64_t scalars[3] = {in.number(), in.number(), in.number()};
  Interval ranges[3];
  for (Interval &r : ranges) {
    r = {in.number(), in.number(), in.below(4) != 0};
    if (r.lo > r.hi)
      std::swap(r.lo, r.hi);
  }
  std::vector<std::vector<Instr>> codes;
  for (int i = 0; i < 11; ++i)
    codes.push_back(in.code());
  LoopCode loops[3];
  for (int i = 0; i < 3; ++i)
    loops[i] = {view(codes[3 * i]), view(codes[3 * i + 1]),
                view(codes[3 * i + 2])};
  const unsigned path[] = {0, 1, 2};
  const Code condition = view(codes[10]);
  unsigned depth = 1 + in.below(3);
  Env env{scalars, ranges, loops};
  touched(env, {0, true, view(codes[9]), path, depth, &condition, 1});
  rangeOf(env, view(codes[9]), path, depth);
  tripCount(env, path, depth);
  return 0;
}
