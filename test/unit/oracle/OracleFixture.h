// Shared by the oracle's tests: compile a reference, call one of its forms,
// judge an output element.
#ifndef AUTOKERNEL_TEST_UNIT_ORACLE_ORACLEFIXTURE_H
#define AUTOKERNEL_TEST_UNIT_ORACLE_ORACLEFIXTURE_H

#include "verify/oracle/Bound.h"
#include "verify/oracle/Reference.h"
#include "verify/oracle/Twin.h"
#include "gtest/gtest.h"

namespace autokernel::test {

inline std::unique_ptr<Oracle> build(std::string Text,
                                     std::vector<std::string> Args = {},
                                     std::string FileName = "reference.cpp") {
  auto Object = compileReference({std::move(Text), std::move(FileName), Args});
  if (!Object) {
    ADD_FAILURE() << llvm::toString(Object.takeError());
    return nullptr;
  }
  auto Loaded = Oracle::load(*Object);
  if (!Loaded) {
    ADD_FAILURE() << llvm::toString(Loaded.takeError());
    return nullptr;
  }
  return std::move(*Loaded);
}

/// Calls the reference with the addresses of the given parameters.
template <class... Ts> void call(void *Function, Ts &...Parameters) {
  ASSERT_NE(Function, nullptr);
  void *Args[] = {static_cast<void *>(&Parameters)...};
  reinterpret_cast<void (*)(void **)>(Function)(Args);
}

template <class T> constexpr FloatKind kind() {
  return sizeof(T) == 4 ? FloatKind::Float : FloatKind::Double;
}

/// Judges a candidate's value for an element that the twin has written.
template <class T>
CompareResult judge(const Oracle &O, double Got, T Loop, const T &TwinElement) {
  return compareElement(Got, Loop, O.shadowOf(&TwinElement, sizeof(T)),
                        kind<T>());
}

} // namespace autokernel::test

#endif
