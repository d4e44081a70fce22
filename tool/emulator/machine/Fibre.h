//===- Fibre.h - stacks and switching between them --------------*- C++ -*-===//
//
// A fibre is a stack and a saved stack pointer. Stacks have a guard page below
// and begin at different cache sets, and are reused.
//
//===----------------------------------------------------------------------===//
#ifndef AUTOKERNEL_EMULATOR_MACHINE_FIBRE_H
#define AUTOKERNEL_EMULATOR_MACHINE_FIBRE_H

#include <cstddef>
#include <cstdint>

namespace autokernel::emulator {

/// Saves this context in *Save and goes on with \p Load.
extern "C" void autokernelSwitch(void **Save, void *Load);

struct Stack {
  char *Low;
  char *Top;
};

Stack *acquireStack();
void releaseStack(Stack *S);
/// All stacks are free again; nothing may run on them any more.
void releaseAllStacks();
/// A context that calls \p Entry, which must not return.
void *prepareStack(Stack *S, void (*Entry)());
bool isStackGuard(uint64_t Address);
bool isOnStack(uint64_t Address);

} // namespace autokernel::emulator

#endif
