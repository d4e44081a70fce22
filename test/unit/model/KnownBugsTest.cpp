// What is known to be wrong. Each function says what right would be; the test
// fails when it has become so: then it moves to the file of its subject.
#include "Source.h"

#include <algorithm>
#include <set>

using namespace autokernel;
using namespace autokernel::test;

#define KNOWN_BUG(name)                                                        \
  static bool right##name();                                                   \
  TEST(KnownBugs, name) {                                                      \
    EXPECT_FALSE(right##name())                                                \
        << "fixed, it seems: move this test to the file of its subject";       \
  }                                                                            \
  static bool right##name()

namespace {

bool taken(const Analysed &a) {
  return a.error.empty() && a.unit.regions.size() == 1 &&
         a.unit.regions[0].model.has_value();
}

bool keepsValue(const Analysed &a, const std::string &name) {
  if (!taken(a))
    return true;
  const auto &privates = a.unit.regions[0].model->privates;
  return std::none_of(privates.begin(), privates.end(),
                      [&](const Node::Local &l) { return l.name == name; });
}

bool provedParallel(const Analysed &a) {
  return taken(a) &&
         a.unit.regions[0].model->contract.loops[0].order == Order::Proved;
}

/// The value that the loop leaves in `t` is read when `c` is false.
KNOWN_BUG(AssignedInABranchAfterTheRegion) {
  return keepsValue(analyseCpp(R"(
    float f(float *y, const float *x, int n, bool c) {
      float t = 0;
      [[autokernel]] for (int i = 0; i < n; ++i) { t = x[i]; y[i] = t; }
      if (c)
        t = 0;
      return t;
    })"),
                    "t");
}

KNOWN_BUG(ReadThroughAPointerAfterTheRegion) {
  return keepsValue(analyseCpp(R"(
    float f(float *y, const float *x, int n) {
      float t = 0, *p = &t;
      [[autokernel]] for (int i = 0; i < n; ++i) { t = x[i]; y[i] = t; }
      return *p;
    })"),
                    "t");
}

KNOWN_BUG(ReadInTheNextRoundOfARangeFor) {
  return keepsValue(analyseCpp(R"(
    float f(float *y, const float *x, int n, const int (&rounds)[3]) {
      float t = 0, s = 0;
      for (int r : rounds) {
        s += t * r;
        [[autokernel]] for (int i = 0; i < n; ++i) { t = x[i]; y[i] = t; }
      }
      return s;
    })"),
                    "t");
}

/// Two loops over one counter of the function: the last one decides.
KNOWN_BUG(LastValueOfASharedCounter) {
  Analysed a = analyseC(R"(
    int f(float *y, float *z, int n, int m) {
      int i;
      [[autokernel]] {
        for (i = 0; i < n; ++i) y[i] = 0;
        for (i = 0; i < m; ++i) z[i] = 0;
      }
      return i;
    })");
  if (!taken(a))
    return true;
  const auto &last = a.unit.regions[0].model->finalCounters;
  return last.count("i") && last.at("i").find("(m)") != std::string::npos;
}

/// The loop may not run at all; then `i` keeps its value.
KNOWN_BUG(LastValueOfAConditionalLoop) {
  Analysed a = analyseC(R"(
    int f(float *y, int n, int c) {
      int i = 77;
      [[autokernel]] { if (c) for (i = 0; i < n; ++i) y[i] = 0; }
      return i;
    })");
  if (!taken(a))
    return true;
  const auto &last = a.unit.regions[0].model->finalCounters;
  return !last.count("i") || last.at("i").find("c") != std::string::npos;
}

/// s is truncated in each iteration: 0.5 added n times stays 0.
KNOWN_BUG(IntegerSumOfFloats) {
  return !provedParallel(analyseCpp(R"(
    int f(const float *x, int n) {
      int s = 0;
      [[autokernel]] for (int i = 0; i < n; ++i) s += x[i];
      return s;
    })"));
}

KNOWN_BUG(IntegerHistogramOfFloats) {
  return !provedParallel(analyseCpp(R"(
    void f(int *h, const int *k, const float *w, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) h[k[i]] += w[i];
    })"));
}

/// Unsigned arithmetic wraps: all even i write y[0].
KNOWN_BUG(UnsignedSubscriptsWrap) {
  return !provedParallel(analyseCpp(R"(
    void f(float *y, const float *x, unsigned n) {
      [[autokernel]] for (unsigned i = 0; i < n; ++i) y[i * 0x80000000u] = x[i];
    })"));
}

/// The subscript is cut to 32 bits: always 0.
KNOWN_BUG(NarrowingCastInASubscript) {
  return !provedParallel(analyseCpp(R"(
    void f(float *y, const float *x, long n) {
      [[autokernel]] for (long i = 0; i < n; ++i) y[(unsigned)(i * 4294967296L)] = x[i];
    })"));
}

/// A condition of the access may only be noted where it holds for signed
/// values as well; here i = 0 reaches y[i] while m - (i - 1) - 1 >= 0.
KNOWN_BUG(UnsignedComparisonOfASignedValue) {
  Analysed a = analyseCpp(R"(
    void f(float *y, int n, int m) {
      [[autokernel]] for (int i = 0; i < n; ++i)
        if ((unsigned)(i - 1) < (unsigned)m) {
        } else
          y[i] = 1;
    })");
  if (!taken(a))
    return true;
  for (const Access &access : a.unit.regions[0].model->contract.accesses)
    if (access.array == "y" && !access.conditions.empty())
      return false;
  return true;
}

/// flag[i] is written before it is tested: its values at the call say nothing.
KNOWN_BUG(ConditionOnDataThatTheRegionWrites) {
  Analysed a = analyseCpp(R"(
    void f(int *flag, float *y, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) {
        flag[i] = 1;
        if (flag[i] > 0)
          y[i] = 1;
      }
    })");
  if (!taken(a))
    return true;
  for (const Access &access : a.unit.regions[0].model->contract.accesses)
    if (access.array == "y" && !access.conditions.empty())
      return false;
  return true;
}

/// idx[i] is 7 when it is used, whatever the test before said.
KNOWN_BUG(IndexDataThatTheRegionWrites) {
  return !provedParallel(analyseCpp(R"(
    void f(int *idx, float *y, const float *x, int n) {
      [[autokernel(y[n])]] for (int i = 0; i < n; ++i)
        if (idx[i] == i) {
          idx[i] = 7;
          y[idx[i]] = x[i];
        }
    })"));
}

/// A quotient of an unknown element differs from iteration to iteration.
KNOWN_BUG(QuotientOfAnUnknownElement) {
  return !provedParallel(analyseCpp(R"(
    void f(float *y, const float *x, const int *idx, int n) {
      [[autokernel(idx[256])]] for (int i = 0; i < n; ++i)
        y[idx[(unsigned char)i] / 2 + i] = x[i];
    })"));
}

/// `a` may be an element of y; then it changes while the loop runs. Right is a
/// refusal, a guard or a parameter that is no plain value.
KNOWN_BUG(ReferenceThatMayBeAnElement) {
  Analysed a = analyseCpp(R"(
    void f(const float &a, float *y, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) y[i] = a * y[i];
    })");
  return !taken(a) || !a.unit.regions[0].model->contract.guards.empty();
}

/// The sum of a local float is taken, that of a reference isn't.
KNOWN_BUG(ReductionIntoAReference) {
  return taken(analyseCpp(R"(
    void f(float &s, const float *x, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) s += x[i];
    })"));
}

/// The reference keeps the text cfg::N but not the namespace; it can't compile.
KNOWN_BUG(QualifiedNamesInTheReference) {
  for (const char *text :
       {"namespace q { constexpr int N = 4; } void f(int *y, int n) { "
        "[[autokernel]] for (int i = 0; i < n; ++i) y[i] = q::N; }",
        "enum class q { N = 4 }; void f(int *y, int n) { [[autokernel]] for "
        "(int i = 0; i < n; ++i) y[i] = int(q::N); }",
        "struct q { static constexpr int N = 4; }; void f(int *y, int n) { "
        "[[autokernel]] for (int i = 0; i < n; ++i) y[i] = q::N; }"}) {
    Analysed a = analyseCpp(text);
    if (taken(a) &&
        a.unit.regions[0].model->reference.find("q::N") != std::string::npos)
      return false;
  }
  return true;
}

/// A function of the user's that happens to be named max is no maximum.
KNOWN_BUG(UserFunctionNamedMax) {
  return !provedParallel(analyseCpp(R"(
    static int max(int a, int b) { return a + 2 * b; }
    int f(const int *x, int n) {
      int s = 0;
      [[autokernel]] for (int i = 0; i < n; ++i) s = max(s, x[i]);
      return s;
    })"));
}

/// `case 1` is reached past the `if` before it, so that y[i] has no condition.
KNOWN_BUG(ContinueBeforeACaseLabel) {
  Analysed a = analyseCpp(R"(
    void f(float *y, float *z, int n, int k) {
      [[autokernel]] for (int i = 0; i < n; ++i) {
        switch (k) {
        case 0:
          z[i] = 2;
          if (i >= 5)
            continue;
        case 1:
          y[i] = 1;
        }
      }
    })");
  if (!taken(a))
    return true;
  for (const Access &access : a.unit.regions[0].model->contract.accesses)
    if (access.array == "y" && !access.conditions.empty())
      return false;
  return true;
}

/// Refused as written by a macro because its last token comes from one.
KNOWN_BUG(LoopsThatEndInAMacro) {
  return taken(analyseCpp(R"(
    #define N 8
    void f(int *y, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) y[i] = N;
    })"));
}

/// abs(float) is an integer in C and a float in CUDA C++: needs a cast.
KNOWN_BUG(AbsOfAFloatInC) {
  Analysed a = analyseC(R"(
    #include <stdlib.h>
    void f(int *y, const float *x, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) y[i] = abs(x[i]);
    })");
  if (!taken(a))
    return true;
  std::vector<const Node *> todo = {&a.unit.regions[0].model->root};
  while (!todo.empty()) {
    const Node *node = todo.back();
    todo.pop_back();
    if (node->text.find("abs(x[i])") != std::string::npos)
      return false;
    for (const Node &child : node->body)
      todo.push_back(&child);
  }
  return true;
}

/// Written into the reference as "inff".
KNOWN_BUG(InfiniteConstants) {
  Analysed a = analyseCpp(R"(
    void f(float *y, int n) {
      constexpr float Big = __builtin_inff();
      [[autokernel]] for (int i = 0; i < n; ++i) y[i] = Big;
    })");
  return taken(a) &&
         a.unit.regions[0].model->reference.find("= inff") == std::string::npos;
}

KNOWN_BUG(NamesThatCollideWithNumberedOnes) {
  std::vector<std::string> ids = analyseCpp(R"(
    [[autokernel]] void f(float *y, int n) { for (int i = 0; i < n; ++i) y[i] = 1; }
    [[autokernel]] void f(double *y, int n) { for (int i = 0; i < n; ++i) y[i] = 1; }
    [[autokernel(f_2)]] void g(float *y, int n) { for (int i = 0; i < n; ++i) y[i] = 1; }
    )")
                                     .ids();
  return std::set<std::string>(ids.begin(), ids.end()).size() == 3;
}

bool complains(const Analysed &a) {
  if (!a.error.empty() || !a.unit.misuses.empty())
    return true;
  for (const AnalysedRegion &r : a.unit.regions)
    if (r.refusal)
      return true;
  return false;
}

KNOWN_BUG(AttributeOnADeclarationWithoutBody) {
  return complains(analyseCpp(R"(
    [[autokernel]] void f(float *y, int n);
    void f(float *y, int n) { for (int i = 0; i < n; ++i) y[i] = 1; })"));
}

KNOWN_BUG(MisspeltClause) {
  return complains(analyseCpp(R"(
    void f(float *y, int n) {
      [[autokernel, autokernel_tolerence(1e-3)]] for (int i = 0; i < n; ++i) y[i] = 1;
    })"));
}

KNOWN_BUG(OtherSpellingsOfTheAttribute) {
  return complains(analyseCpp(R"(
    void f(float *y, int n) {
      __attribute__((autokernel)) for (int i = 0; i < n; ++i) y[i] = 1;
    })")) &&
         complains(analyseCpp(R"(
    void f(float *y, int n) {
      [[gnu::autokernel]] for (int i = 0; i < n; ++i) y[i] = 1;
    })"));
}

KNOWN_BUG(ARegionInsideARegion) {
  return complains(analyseCpp(R"(
    void f(float *y, int n, int m) {
      [[autokernel]] for (int i = 0; i < n; ++i)
        [[autokernel]] for (int j = 0; j < m; ++j) y[i * m + j] = 1;
    })"));
}

} // namespace
