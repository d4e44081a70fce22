// Refusals that need more than a lit test shows: places, C, first reason.
#include "model/Refusals.h"
#include "Source.h"

#include <set>

using namespace autokernel;
using namespace autokernel::test;

namespace {

TEST(Refusals, RegistryHasEachIdOnce) {
  std::set<std::string> ids;
  for (const RefusalEntry &entry : allRefusals()) {
    EXPECT_TRUE(ids.insert(entry.id).second) << entry.id;
    EXPECT_NE(std::string(entry.sentence), "");
    EXPECT_EQ(findRefusal(entry.id), &entry);
  }
  EXPECT_EQ(findRefusal("no-such-id"), nullptr);
}

TEST(Refusals, PointAtTheToken) {
  Analysed a = analyseCpp("float g(float);\n"
                          "void f(float *y, int n) {\n"
                          "  [[autokernel]] for (int i = 0; i < n; ++i)\n"
                          "    y[i] = 2 * g(y[i]);\n"
                          "}\n");
  const Refusal &r = a.refusal();
  EXPECT_EQ(r.id, "call-without-body");
  EXPECT_EQ(r.place.line, 4u);
  EXPECT_EQ(r.place.column, 16u);
}

struct Case {
  const char *id, *text;
};

TEST(Refusals, Templates) {
  for (Case c : {
           Case{"template-region",
                "template <class T> void f(T *y, int n) { [[autokernel]] for "
                "(int i = 0; i < n; ++i) y[i] = 1; }"},
           Case{"template-region",
                "template <class T> struct S { void f(T *y, int n) { "
                "[[autokernel]] for (int i = 0; i < n; ++i) y[i] = 1; } };"},
           Case{"template-region",
                "template <int N> void f(float *y) { [[autokernel]] for (int i "
                "= 0; i < N; ++i) y[i] = 1; }"},
           Case{"", "template <int N> void f(float *y) { [[autokernel]] for "
                    "(int i = 0; i < N; ++i) y[i] = 1; } template void "
                    "f<9>(float *);"},
           Case{"", "template <class T> void f(T *y, int n); template <> void "
                    "f<float>(float *y, int n) { [[autokernel]] for (int i = "
                    "0; i < n; ++i) y[i] = 1; }"},
       })
    EXPECT_EQ(analyseCpp(c.text).refusedAs(), c.id) << c.text;
}

TEST(Refusals, C) {
  for (Case c : {
           Case{"volatile-or-atomic",
                "void f(_Atomic int *y, int n) { [[autokernel]] for (int i = "
                "0; i < n; ++i) y[i] = 1; }"},
           Case{"unsupported-type",
                "void f(_Complex float *y, int n) { [[autokernel]] for (int i "
                "= 0; i < n; ++i) y[i] = 1; }"},
           Case{"pointer-escapes",
                "void f(int n, float y[n][n]) { ++n; [[autokernel]] for (int i "
                "= 0; i < n; ++i) y[i][0] = 1; }"},
           Case{"call-without-body",
                "#include <stdio.h>\nvoid f(int *y, int n) { [[autokernel]] "
                "for (int i = 0; i < n; ++i) putchar(y[i]); }"},
           Case{"", "void f(float *restrict y, int n) { [[autokernel]] for "
                    "(int i = 0; i < n; ++i) y[i] = 1; }"},
       }) {
    Analysed a = analyseC(c.text);
    // Variable length arrays may be taken some day; then this test moves.
    EXPECT_EQ(a.refusedAs(), c.id) << c.text;
  }
}

} // namespace
