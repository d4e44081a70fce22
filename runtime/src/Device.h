// The dozen things the runtime asks of CUDA, behind one interface.
//
// Everything else in the runtime is plain C++, so that tests put a device in
// its place which lives in host memory and fails where they like.
//
// Surface: Device, device(), useDevice().
#pragma once

#include <cstddef>

namespace autokernel::runtime {

/// A cudaError_t; 0 is success.
using Status = int;

enum class MemoryKind { Host, Device, Managed };
enum class Copy { In, Out, OnDevice };

struct Device {
  virtual ~Device() = default;
  virtual Status count(int &n) = 0;
  virtual Status current(int &ordinal) = 0;
  /// A name for people, valid for the life of the program.
  virtual const char *name(int ordinal) = 0;
  virtual Status totalMemory(size_t &bytes) = 0;
  virtual Status allocate(void **p, size_t bytes) = 0;
  virtual Status release(void *p) = 0;
  virtual Status kindOf(const void *p, MemoryKind &kind, int &ordinal) = 0;
  virtual Status copy(void *to, const void *from, size_t bytes, Copy way,
                      void *stream) = 0;
  virtual Status synchronise(void *stream) = 0;
  /// Takes back the error that a failed call left behind.
  virtual Status takeError() = 0;
  virtual const char *describe(Status status) = 0;
  virtual void *stream() = 0;
};

Device &device();

/// The one that CUDA offers; Device.cpp has it, tests have their own.
Device &cudaDevice();

/// For tests; null means cudaDevice() again.
void useDevice(Device *d);

} // namespace autokernel::runtime
