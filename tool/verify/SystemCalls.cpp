#include "verify/SystemCalls.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace autokernel {

#if defined(__x86_64__) || defined(__aarch64__)

namespace {

#if defined(__x86_64__)
constexpr uint32_t Architecture = AUDIT_ARCH_X86_64;
#else
constexpr uint32_t Architecture = AUDIT_ARCH_AARCH64;
#endif

// What the emulator's machine, JITLink, malloc and stdio do once files are
// open.
constexpr int Allowed[] = {
    SYS_read,
    SYS_write,
    SYS_writev,
    SYS_pwrite64,
    SYS_lseek,
    SYS_close,
    SYS_fstat,
    SYS_fcntl,
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_madvise,
    SYS_brk,
    SYS_futex,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_sched_yield,
    SYS_getrandom,
    SYS_getpid,
    SYS_gettid,
    SYS_getcpu,
    SYS_sched_getaffinity,
    SYS_restart_syscall,
    SYS_exit,
    SYS_exit_group,
};

// Libraries ask these in passing and live with a no. It is a no, not the end.
constexpr int Refused[] = {
    SYS_openat,  SYS_newfstatat, SYS_statx,     SYS_readlinkat, SYS_faccessat,
    SYS_ioctl,   SYS_prctl,      SYS_prlimit64, SYS_getrlimit,  SYS_sysinfo,
    SYS_uname,   SYS_getcwd,     SYS_getuid,    SYS_geteuid,    SYS_getgid,
    SYS_getegid,
#if defined(__x86_64__)
    SYS_open,    SYS_stat,       SYS_lstat,     SYS_readlink,   SYS_access,
#endif
};

/// A filter as a straight list of comparisons.
class Filter {
public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    jump(Architecture, 1, 0);
    answer(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
  }

  void on(int call, uint32_t action) {
    jump(uint32_t(call), 0, 1);
    answer(action);
  }

  /// `call` is allowed where its first argument is `value`.
  void onFirst(int call, uint32_t value) {
    jump(uint32_t(call), 0, 4);
    load(offsetof(seccomp_data, args)); // the low half: both are little-endian
    jump(value, 0, 1);
    answer(SECCOMP_RET_ALLOW);
    answer(SECCOMP_RET_KILL_PROCESS);
  }

  void answer(uint32_t action) { add({BPF_RET | BPF_K, 0, 0, action}); }

  bool install() {
    sock_fprog program{size, list};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  }

private:
  void load(size_t offset) {
    add({BPF_LD | BPF_W | BPF_ABS, 0, 0, uint32_t(offset)});
  }
  void jump(uint32_t value, uint8_t same, uint8_t other) {
    add({BPF_JMP | BPF_JEQ | BPF_K, same, other, value});
  }
  void add(sock_filter step) { list[size++] = step; }

  sock_filter list[2 * (std::size(Allowed) + std::size(Refused)) + 16];
  unsigned short size = 0;
};

} // namespace

bool filterSystemCalls() {
  Filter filter;
  for (int call : Allowed)
    filter.on(call, SECCOMP_RET_ALLOW);
  for (int call : Refused)
    filter.on(call, SECCOMP_RET_ERRNO | EPERM);
  // abort() signals itself, and nobody else.
  filter.onFirst(SYS_tgkill, uint32_t(getpid()));
  filter.answer(SECCOMP_RET_KILL_PROCESS);
  return filter.install();
}

#else

bool filterSystemCalls() { return false; }

#endif

} // namespace autokernel
