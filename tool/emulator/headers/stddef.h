#pragma once
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
struct max_align_t {
  long long integer __attribute__((aligned(16)));
};
#define NULL __null
#define offsetof(t, m) __builtin_offsetof(t, m)
namespace std {
using ::max_align_t;
using ::nullptr_t;
using ::ptrdiff_t;
using ::size_t;
} // namespace std
