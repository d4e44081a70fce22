//===- Traps.cpp - signals, arithmetic errors, budgets --------------------===//
//
// Everything that ends a kernel from inside: faults become reports and leave
// the kernel; UBSan's handlers are ours; loops count against a budget.
//
//===----------------------------------------------------------------------===//

#include "emulator/machine/Blocks.h"
#include "llvm/ADT/Twine.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ucontext.h>
#include <unistd.h>

using namespace llvm;

namespace autokernel::emulator {

static constexpr int Slice = 1 << 16;

namespace {
struct SanitizerPlace {
  const char *File;
  uint32_t Line, Column;
};
} // namespace

static Site siteOf(const SanitizerPlace *Place) {
  Site S{};
  S.file = Place->File;
  S.line = Place->Line;
  S.column = Place->Column;
  return S;
}

static const char *kindOfFault(int Signal, uint64_t Address) {
  if (Signal == SIGFPE)
    return "divide-by-zero";
  if (Signal == SIGILL || Signal == SIGTRAP)
    return "trap";
  if (isStackGuard(Address))
    return "stack-overflow";
  return Address < 65536 ? "null-pointer" : "wrong-side-pointer";
}

static void afterFault() {
  abortLaunch(700);
  _exit(86);
}

// Only async-signal-safe enough because a fault in the kernel's own code is
// synchronous: no lock of ours is held there.
static void onFault(int Signal, siginfo_t *Info, void *Context) {
  if (!TheSession.InLaunch) {
    static const char Text[] =
        "autokernel: the candidate's host code crashed\n";
    (void)!write(2, Text, sizeof Text - 1);
    _exit(86);
  }
  uint64_t Address = reinterpret_cast<uint64_t>(Info->si_addr);
  report(kindOfFault(Signal, Address), nullptr,
         Signal == SIGFPE ? Twine("an integer division failed")
                          : "the kernel crashed at the address 0x" +
                                Twine::utohexstr(Address));
  // Leave on the fibre's stack, not on the signal's.
  auto *U = static_cast<ucontext_t *>(Context);
  BlockRun &B = *TheSession.Current;
  uint64_t Top = reinterpret_cast<uint64_t>(B.Threads[B.Running].OnStack->Top);
#if defined(__x86_64__)
  U->uc_mcontext.gregs[REG_RSP] = greg_t((Top & ~63ull) - 8);
  U->uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(afterFault);
#else
  U->uc_mcontext.sp = Top & ~63ull;
  U->uc_mcontext.pc = reinterpret_cast<uint64_t>(afterFault);
#endif
}

void installTraps() {
  static char AlternateStack[64 * 1024];
  stack_t Alternate{};
  Alternate.ss_sp = AlternateStack;
  Alternate.ss_size = sizeof AlternateStack;
  sigaltstack(&Alternate, nullptr);
  struct sigaction Action{};
  Action.sa_sigaction = onFault;
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int Signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
    sigaction(Signal, &Action, nullptr);
}

bool isOutOfTime() {
  std::chrono::duration<double> Elapsed =
      std::chrono::steady_clock::now() - TheSession.Started;
  return Elapsed.count() > TheSession.Options.MaxSeconds;
}

void spendBudget(const Site *At) {
  Session &S = TheSession;
  S.StepsUsed += Slice;
  state().steps = Slice;
  bool TooMany = S.StepsUsed > S.Options.MaxSteps;
  if (TooMany || isOutOfTime()) {
    report(TooMany ? "step-budget" : "time-budget", At,
           TooMany ? "the kernel doesn't end within " +
                         Twine(S.Options.MaxSteps) + " loop iterations"
                   : Twine("the kernel doesn't end in time"));
    abortLaunch(702);
  }
  // Whoever spins here may wait for a thread that hasn't had its turn.
  yieldThread(At);
}

static void arithmetic(const char *Kind, const SanitizerPlace *Place,
                       const Twine &Message) {
  Site S = siteOf(Place);
  report(Kind, &S, Message);
}

} // namespace autokernel::emulator

using namespace autokernel::emulator;

extern "C" {

void __ak_budget(const Site *At) { spendBudget(At); }

void __ak_stop(const char *Kind, const char *Message, const Site *At) {
  report(Kind, At, Message);
  abortLaunch(719);
  abort();
}

void __ubsan_handle_out_of_bounds_abort(SanitizerPlace *Place, int64_t Index) {
  arithmetic("out-of-bounds-index", Place,
             "the index " + Twine(Index) + " is outside of the array");
  abortLaunch(700);
}

void __ubsan_handle_shift_out_of_bounds(SanitizerPlace *Place, uint64_t,
                                        int64_t Count) {
  arithmetic("bad-shift", Place, "a shift by " + Twine(Count) + " bits");
}

void __ubsan_handle_add_overflow(SanitizerPlace *Place, uint64_t, uint64_t) {
  arithmetic("signed-overflow", Place, "a signed addition overflows");
}

void __ubsan_handle_sub_overflow(SanitizerPlace *Place, uint64_t, uint64_t) {
  arithmetic("signed-overflow", Place, "a signed subtraction overflows");
}

void __ubsan_handle_mul_overflow(SanitizerPlace *Place, uint64_t, uint64_t) {
  arithmetic("signed-overflow", Place, "a signed multiplication overflows");
}

void __ubsan_handle_negate_overflow(SanitizerPlace *Place, uint64_t) {
  arithmetic("signed-overflow", Place, "a signed negation overflows");
}

// Going on would fault on this processor, so the launch ends.
void __ubsan_handle_divrem_overflow_abort(SanitizerPlace *Place, uint64_t,
                                          uint64_t Divisor) {
  bool Zero = uint32_t(Divisor) == 0;
  arithmetic(Zero ? "divide-by-zero" : "signed-overflow", Place,
             Zero ? "an integer is divided by zero"
                  : "the smallest integer is divided by -1");
  abortLaunch(719);
}

void __ubsan_handle_divrem_overflow(SanitizerPlace *Place, uint64_t Dividend,
                                    uint64_t Divisor) {
  __ubsan_handle_divrem_overflow_abort(Place, Dividend, Divisor);
}
}
