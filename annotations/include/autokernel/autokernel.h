/* The annotations as macros, for code that must compile without a warning and
 * without a flag everywhere: they expand to the attributes inside the
 * autokernel tool only, which is the one compiler that knows them.
 *
 *   AUTOKERNEL()                      [[autokernel]]
 *   AUTOKERNEL("relax", grid[n * m])  [[autokernel("relax", grid[n * m])]]
 *   AUTOKERNEL_TOLERANCE(1e-5)        [[autokernel_tolerance(1e-5)]], and so on
 */
#ifndef AUTOKERNEL_AUTOKERNEL_H
#define AUTOKERNEL_AUTOKERNEL_H

#if defined(__cplusplus) && defined(__has_cpp_attribute)
#if __has_cpp_attribute(autokernel)
#define AUTOKERNEL_IN_TOOL 1
#endif
#elif !defined(__cplusplus) && defined(__has_c_attribute)
#if __has_c_attribute(autokernel)
#define AUTOKERNEL_IN_TOOL 1
#endif
#endif

#ifdef AUTOKERNEL_IN_TOOL
/* An attribute with an empty list of arguments would be an error. */
#define AUTOKERNEL(...) AUTOKERNEL_ATTRIBUTE_##__VA_OPT__(WITH)(__VA_ARGS__)
#define AUTOKERNEL_ATTRIBUTE_() [[autokernel]]
#define AUTOKERNEL_ATTRIBUTE_WITH(...) [[autokernel(__VA_ARGS__)]]
#define AUTOKERNEL_TOLERANCE(x) [[autokernel_tolerance(x)]]
#define AUTOKERNEL_ASSUME(condition) [[autokernel_assume(condition)]]
#define AUTOKERNEL_INDEPENDENT [[autokernel_independent]]
#define AUTOKERNEL_EXACT [[autokernel_exact]]
#define AUTOKERNEL_REASSOCIATE(mode) [[autokernel_reassociate(mode)]]
#else
#define AUTOKERNEL(...)
#define AUTOKERNEL_TOLERANCE(x)
#define AUTOKERNEL_ASSUME(condition)
#define AUTOKERNEL_INDEPENDENT
#define AUTOKERNEL_EXACT
#define AUTOKERNEL_REASSOCIATE(mode)
#endif

#endif
