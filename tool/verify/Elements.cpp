// Array elements as numbers and as text.

#include "verify/Case.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>

namespace autokernel {

template <class T> static T load(const uint8_t *p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

template <class T> static void store(uint8_t *p, T v) {
  std::memcpy(p, &v, sizeof v);
}

static int64_t loadSigned(unsigned bits, const uint8_t *p) {
  switch (bits) {
  case 8:
    return load<int8_t>(p);
  case 16:
    return load<int16_t>(p);
  case 32:
    return load<int32_t>(p);
  default:
    return load<int64_t>(p);
  }
}

static uint64_t loadUnsigned(unsigned bits, const uint8_t *p) {
  uint64_t v = 0;
  std::memcpy(&v, p, bits / 8); // little-endian, as all of CUDA's hosts
  return v;
}

double elementAsDouble(const ElementType &type, const uint8_t *p) {
  if (type.kind == ElementType::Float)
    return type.bits == 32 ? double(load<float>(p)) : load<double>(p);
  if (type.kind == ElementType::Int)
    return double(loadSigned(type.bits, p));
  return double(loadUnsigned(type.bits, p));
}

void storeElement(const ElementType &type, uint8_t *p, double value) {
  if (type.kind == ElementType::Float) {
    if (type.bits == 32)
      store(p, float(value));
    else
      store(p, value);
    return;
  }
  int64_t whole = std::isfinite(value) ? int64_t(value) : 0;
  if (type.kind == ElementType::Bool)
    whole = whole & 1;
  std::memcpy(p, &whole, type.bits / 8);
}

std::string elementText(const ElementType &type, const uint8_t *p) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (type.kind == ElementType::Float)
    os << llvm::format(type.bits == 32 ? "%.9g" : "%.17g",
                       elementAsDouble(type, p));
  else if (type.kind == ElementType::Int)
    os << loadSigned(type.bits, p);
  else
    os << loadUnsigned(type.bits, p);
  return text;
}

} // namespace autokernel
