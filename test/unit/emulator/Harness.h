//===- Harness.h - compile, load and run a kernel in a test -----*- C++ -*-===//
//
// A test gives CUDA text; the line with `// BUG` is where a report is expected.
//
//===----------------------------------------------------------------------===//
#ifndef AUTOKERNEL_TEST_EMULATOR_HARNESS_H
#define AUTOKERNEL_TEST_EMULATOR_HARNESS_H

#include "emulator/Emulator.h"
#include "emulator/Machine.h"
#include <gtest/gtest.h>

namespace autokernel::emulator {

inline unsigned bugLine(llvm::StringRef Source) {
  size_t At = Source.find("// BUG");
  return At == llvm::StringRef::npos ? 0
                                     : 1 + Source.take_front(At).count('\n');
}

inline std::string compileError(llvm::StringRef Source,
                                bool *Unsupported = nullptr) {
  auto Object = compileForEmulator(Source, "candidate.cu");
  if (Object)
    return "";
  std::string Text;
  llvm::handleAllErrors(Object.takeError(), [&](const llvm::ErrorInfoBase &E) {
    Text = E.message();
    if (Unsupported)
      *Unsupported = E.isA<UnsupportedOnEmulator>();
  });
  return Text;
}

/// One loaded candidate.
class Candidate {
public:
  explicit Candidate(llvm::StringRef Source, MachineOptions Machine = {},
                     EmulatorOptions Compiler = {})
      : Source(Source.str()) {
    auto Object = compileForEmulator(Source, "candidate.cu", Compiler);
    if (!Object) {
      ADD_FAILURE() << llvm::toString(Object.takeError());
      return;
    }
    Kernels = Object->Kernels;
    auto Loaded = Machine::load(Object->Object, Machine);
    if (!Loaded)
      ADD_FAILURE() << llvm::toString(Loaded.takeError());
    else
      M = std::move(*Loaded);
  }

  template <class T>
  T *buffer(const std::vector<T> &Values, const char *Name = "in") {
    T *Device = fresh<T>(Values.size(), Name);
    M->copyIn(Device, Values.data(), Values.size() * sizeof(T));
    return Device;
  }

  /// Not initialised.
  template <class T>
  T *fresh(size_t Count, const char *Name = "out", size_t MisalignBy = 0) {
    auto Device = M->allocate(Count * sizeof(T), Name, MisalignBy);
    if (!Device) {
      ADD_FAILURE() << llvm::toString(Device.takeError());
      return nullptr;
    }
    return static_cast<T *>(*Device);
  }

  template <class T>
  std::vector<T> values(const T *Device, size_t Count) const {
    std::vector<T> Values(Count);
    M->copyOut(Values.data(), Device, Count * sizeof(T));
    return Values;
  }

  template <class... As> int run(As... Arguments) {
    auto *Launcher = reinterpret_cast<int (*)(As...)>(M->symbol("go"));
    if (!Launcher) {
      ADD_FAILURE() << "no launcher 'go'";
      return -1;
    }
    return Launcher(Arguments...);
  }

  void expectClean() const {
    for (const Report &R : M->reports())
      ADD_FAILURE() << toString(R);
    EXPECT_TRUE(M->guardsIntact());
  }

  /// The first report is \p Kind at the line marked `// BUG`.
  const Report &expect(llvm::StringRef Kind) const {
    static const Report None;
    if (M->reports().empty()) {
      ADD_FAILURE() << "expected a report of kind " << Kind.str();
      return None;
    }
    const Report &R = M->reports().front();
    EXPECT_EQ(R.Kind, Kind.str()) << toString(R);
    if (unsigned Line = bugLine(Source)) {
      EXPECT_EQ(R.Line, Line) << toString(R);
      EXPECT_EQ(R.File, "candidate.cu");
    }
    return R;
  }

  std::unique_ptr<Machine> M;
  std::vector<std::string> Kernels;
  std::string Source;
};

} // namespace autokernel::emulator

#endif
