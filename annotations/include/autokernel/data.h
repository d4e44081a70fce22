// Arrays that stay on the device from one annotated loop to the next.
//
//   autokernel::kept<float> grid(pointer, count);
//   ... loops over `pointer` ...
//   print(grid.read());    // host code reads: the values are brought back
//   grid.write()[0] = 1;   // host code writes: the device gets them anew
//
// Between construction and destruction, code outside annotated loops reaches
// the array through read() and write() only; when the object goes, the array
// has its values. Where no kernels are linked this costs and does nothing.
#ifndef AUTOKERNEL_DATA_H
#define AUTOKERNEL_DATA_H

#include <cstddef>

namespace autokernel {

#ifdef AUTOKERNEL_RUNTIME
namespace runtime {
void keepOnDevice(const void *array, std::size_t bytes);
void bringToHost(const void *array, bool forWriting);
void keepNoLonger(const void *array);
} // namespace runtime

inline namespace with_runtime {
#else
inline namespace without_runtime {
#endif

template <class T> class kept {
public:
  kept(T *array, std::size_t count) : array(array) {
#ifdef AUTOKERNEL_RUNTIME
    runtime::keepOnDevice(array, count * sizeof(T));
#else
    (void)count;
#endif
  }
  ~kept() {
#ifdef AUTOKERNEL_RUNTIME
    runtime::keepNoLonger(array);
#endif
  }
  kept(const kept &) = delete;
  kept &operator=(const kept &) = delete;

  const T *read() const { return reach(false); }
  T *write() { return reach(true); }

private:
  T *reach(bool forWriting) const {
#ifdef AUTOKERNEL_RUNTIME
    runtime::bringToHost(array, forWriting);
#else
    (void)forWriting;
#endif
    return array;
  }

  T *array;
};

} // namespace with_runtime or without_runtime
} // namespace autokernel

#endif
