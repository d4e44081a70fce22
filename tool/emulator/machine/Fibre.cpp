//===- Fibre.cpp - stacks and switching between them ----------------------===//

#include "emulator/machine/Fibre.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstring>
#include <memory>
#include <sys/mman.h>
#include <vector>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

// The jump instead of a return: the processor predicts where returns go from
// the calls on this stack, but the caller is on another one.
#if defined(__x86_64__)
asm(R"(
.text
.globl autokernelSwitch
.type autokernelSwitch,@function
autokernelSwitch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmpq *%rcx
.size autokernelSwitch, .-autokernelSwitch
)");
#elif defined(__aarch64__)
asm(R"(
.text
.globl autokernelSwitch
.type autokernelSwitch,%function
autokernelSwitch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size autokernelSwitch, .-autokernelSwitch
)");
#else
#error "no context switch for this processor"
#endif

namespace autokernel::emulator {

static constexpr size_t GuardBytes = 4096;
static constexpr size_t StackBytes = 256 * 1024;
static constexpr size_t StacksInSlab = 64;
static constexpr size_t MostGuards = 8192;

static std::vector<std::unique_ptr<Stack>> AllStacks;
static std::vector<Stack *> FreeStacks;

// Only touched pages cost memory, so stacks are generous and come in slabs.
static void makeSlab() {
  void *Slab = mmap(nullptr, StackBytes * StacksInSlab, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Slab == MAP_FAILED)
    llvm::report_fatal_error("out of memory for stacks");
  for (size_t I = 0; I < StacksInSlab; ++I) {
    char *Low = static_cast<char *>(Slab) + I * StackBytes;
    // The kernel limits the number of mappings, and a guard makes two.
    if (AllStacks.size() < MostGuards)
      mprotect(Low, GuardBytes, PROT_NONE);
    // Equal depths on many stacks would fall into the same cache set.
    char *Top = Low + StackBytes - (I % 32) * 192 - 64;
    AllStacks.push_back(std::make_unique<Stack>(Stack{Low, Top}));
  }
  for (size_t I = 0; I < StacksInSlab; ++I)
    FreeStacks.push_back(AllStacks[AllStacks.size() - 1 - I].get());
}

Stack *acquireStack() {
  if (FreeStacks.empty())
    makeSlab();
  Stack *S = FreeStacks.back();
  FreeStacks.pop_back();
#if defined(__SANITIZE_ADDRESS__)
  // A kernel that was left without unwinding leaves its red zones behind.
  __asan_unpoison_memory_region(S->Low + GuardBytes, StackBytes - GuardBytes);
#endif
  return S;
}

void releaseStack(Stack *S) { FreeStacks.push_back(S); }

void releaseAllStacks() {
  FreeStacks.clear();
  for (size_t I = AllStacks.size(); I-- > 0;)
    FreeStacks.push_back(AllStacks[I].get());
}

void *prepareStack(Stack *S, void (*Entry)()) {
  auto *Top = reinterpret_cast<uint64_t *>(reinterpret_cast<uintptr_t>(S->Top) &
                                           ~uintptr_t(63));
#if defined(__x86_64__)
  *--Top = 0; // The return address of Entry, and its alignment.
  *--Top = reinterpret_cast<uint64_t>(Entry);
  Top -= 6;
  memset(Top, 0, 6 * 8);
#else
  Top -= 20;
  memset(Top, 0, 160);
  Top[11] = reinterpret_cast<uint64_t>(Entry);
#endif
  return Top;
}

bool isOn(const Stack *S, uint64_t Address) {
  return Address - reinterpret_cast<uint64_t>(S->Low) < StackBytes;
}

static const Stack *stackOf(uint64_t Address) {
  for (const auto &S : AllStacks)
    if (isOn(S.get(), Address))
      return S.get();
  return nullptr;
}

bool isStackGuard(uint64_t Address) {
  const Stack *S = stackOf(Address);
  return S && reinterpret_cast<const char *>(Address) < S->Low + GuardBytes;
}

bool isOnStack(uint64_t Address) { return stackOf(Address); }

} // namespace autokernel::emulator
