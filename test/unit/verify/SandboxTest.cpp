// Each test enters the sandbox in a child of its own.

#include "verify/Sandbox.h"
#include "gtest/gtest.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace autokernel;

namespace {

struct End {
  int code = -1, signal = 0;
};

/// `body` in a sandboxed child; its result is the exit code.
template <class Body> End sandboxed(Body body, SandboxLimits limits = {}) {
  pid_t child = fork();
  if (child == 0) {
    enterSandbox(limits);
    _exit(body());
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  End end;
  if (WIFEXITED(status))
    end.code = WEXITSTATUS(status);
  else
    end.signal = WTERMSIG(status);
  return end;
}

bool hasFilter() { return probeSandbox().seccomp; }

#define NEEDS_FILTER()                                                         \
  if (!hasFilter())                                                            \
  GTEST_SKIP() << "no seccomp here"

TEST(Sandbox, ComputingGoesOn) {
  EXPECT_EQ(sandboxed([] {
              auto *p = static_cast<char *>(std::malloc(64 << 20));
              p[12345] = 7;
              void *m = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
              bool ok = m != MAP_FAILED &&
                        mprotect(m, 4096, PROT_READ | PROT_EXEC) == 0;
              int result = ok ? p[12345] : 1;
              std::free(p);
              return result;
            }).code,
            7);
}

TEST(Sandbox, OpenFilesStayOpen) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(sandboxed([&] { return write(ends[1], "x", 1) == 1 ? 0 : 1; }).code,
            0);
  char c = 0;
  EXPECT_EQ(read(ends[0], &c, 1), 1);
  EXPECT_EQ(c, 'x');
  close(ends[0]);
  close(ends[1]);
}

TEST(Sandbox, NoFileOpens) {
  if (!probeSandbox().confines())
    GTEST_SKIP() << "neither Landlock nor seccomp here";
  for (int flags : {O_RDONLY, O_WRONLY, O_RDWR | O_CREAT})
    EXPECT_EQ(sandboxed([&] {
                return open("/dev/null", flags, 0600) < 0 ? 0 : 1;
              }).code,
              0);
}

TEST(Sandbox, ForbiddenCallsEndTheProcess) {
  NEEDS_FILTER();
  EXPECT_EQ(sandboxed([] { return socket(AF_INET, SOCK_STREAM, 0); }).signal,
            SIGSYS);
  EXPECT_EQ(sandboxed([] { return int(fork()); }).signal, SIGSYS);
  EXPECT_EQ(sandboxed([] { return kill(getppid(), 0); }).signal, SIGSYS);
  EXPECT_EQ(sandboxed([] {
              return int(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr));
            }).signal,
            SIGSYS);
  EXPECT_EQ(sandboxed([] { return unlink("/nowhere/at/all"); }).signal, SIGSYS);
  EXPECT_EQ(sandboxed([] {
              char path[] = "/bin/true", *args[] = {path, nullptr};
              return execv(path, args);
            }).signal,
            SIGSYS);
}

TEST(Sandbox, AbortStillWorks) {
  EXPECT_EQ(sandboxed([]() -> int { std::abort(); }).signal, SIGABRT);
}

TEST(Sandbox, FilesAreBounded) {
  char name[] = "/tmp/autokernel-sandbox-XXXXXX";
  int fd = mkstemp(name);
  ASSERT_GE(fd, 0);
  unlink(name);
  SandboxLimits limits;
  limits.fileBytes = 4096;
  End end = sandboxed(
      [&] {
        char block[4096] = {};
        for (int i = 0; i < 2; ++i)
          if (write(fd, block, sizeof block) < 0)
            return 1;
        return 0;
      },
      limits);
  EXPECT_EQ(end.signal, SIGXFSZ);
  close(fd);
}

TEST(Sandbox, ProcessorTimeIsBounded) {
  SandboxLimits limits;
  limits.cpuSeconds = 0;
  EXPECT_EQ(sandboxed(
                []() -> int {
                  for (volatile unsigned i = 0;;)
                    i = i + 1;
                },
                limits)
                .signal,
            SIGXCPU);
}

TEST(Sandbox, NothingAtAllIsRefused) {
  unsetenv("AUTOKERNEL_UNSANDBOXED");
  SandboxLayers layers;
  layers.limits = layers.noNewPrivileges = true;
  std::string said = llvm::toString(requireConfinement(layers));
  EXPECT_NE(said.find("AUTOKERNEL_UNSANDBOXED=1"), std::string::npos);
  setenv("AUTOKERNEL_UNSANDBOXED", "0", 1);
  EXPECT_TRUE(llvm::errorToBool(requireConfinement(layers)));
  setenv("AUTOKERNEL_UNSANDBOXED", "1", 1);
  EXPECT_FALSE(llvm::errorToBool(requireConfinement(layers)));
  unsetenv("AUTOKERNEL_UNSANDBOXED");
  layers.landlock = true;
  EXPECT_FALSE(llvm::errorToBool(requireConfinement(layers)));
  EXPECT_EQ(layersText({}), "none");
}

} // namespace
