// Every rule has a candidate that breaks it. Cases are the parts of one
// candidate that is otherwise honest: what stands before the launcher, and
// statements inside it or inside its kernel.
#include "compile/Rules.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <set>

using namespace autokernel;

namespace {

struct Case {
  RuleId Broken;
  std::string Top = "", Namespace = "", Kernel = "", Host = "";
};

std::string candidate(const Case &C) {
  return "#include <cuda_runtime.h>\n" + C.Top + "\nnamespace {\n" +
         C.Namespace +
         "\n__global__ void scale(const float *x, float *y, int n) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  " +
         C.Kernel +
         "\n  if (i < n) y[i] = 2 * x[i];\n}\n}\n"
         "extern \"C\" cudaError_t autokernel_scale(const float *x, float *y, "
         "int n, void *workspace, size_t workspace_bytes, "
         "cudaStream_t stream) {\n"
         "  if (n <= 0) return cudaSuccess;\n  " +
         C.Host +
         "\n  scale<<<(n + 255) / 256, 256, 0, stream>>>(x, y, n);\n"
         "  return cudaGetLastError();\n}\n";
}

RuleRequest request() {
  RuleRequest Request;
  Request.Launcher = "autokernel_scale";
  Request.Architectures = {800}; // one device side is enough here
  Request.Parameters = {{"const float *", "x"}, {"float *", "y"}, {"int", "n"}};
  return Request;
}

RuleResult check(llvm::StringRef Text, RuleRequest Request = request()) {
  auto Result = checkRules(Text, Request, emulatorRuleParser());
  if (!Result) {
    ADD_FAILURE() << llvm::toString(Result.takeError());
    return {};
  }
  return *Result;
}

std::string listing(const RuleResult &R) {
  std::string Text;
  for (const RuleViolation &V : R.Violations)
    Text += std::to_string(V.Line) + ": " + ruleName(V.Id).str() + ": " +
            V.Message + "\n";
  return Text;
}

using enum RuleId;

Case top(RuleId Id, std::string Text) { return {Id, std::move(Text)}; }
Case inside(RuleId Id, std::string Text) { return {Id, "", std::move(Text)}; }
Case kernel(RuleId Id, std::string Text) {
  return {Id, "", "", std::move(Text)};
}
Case host(RuleId Id, std::string Text) {
  return {Id, "", "", "", std::move(Text)};
}

const Case Cases[] = {
    // Text and preprocessor.
    host(Parse, "undeclared(n);"),
    inside(Parse, "#error \"no\""),
    top(Text, "// \?\?/\n"),
    top(Text, "// \xe2\x80\xae\n"),
    top(Directive, "#line 100 \"cuda_runtime.h\""),
    top(Directive, "# 1 \"cuda_runtime.h\" 3"),
    top(Directive, "#ident \"x\""),
    top(Include, "#include <cstdio>"),
    top(Include, "#include \"/etc/passwd\""),
    top(Include, "#define H <math.h>\n#include H"),
    top(Conditional, "#ifdef __clang__\n#endif"),
    top(Conditional, "#ifndef UNDEFINED\n#define UNDEFINED 1\n#endif"),
    top(Conditional, "#define X __EDG__\n#if X\n#endif"),
    top(Conditional, "#if defined(__NVCC__) || 1\n#endif"),
    top(Conditional, "#if 0\n#define A 1\n#endif\n#ifdef A\n#endif"),
    top(Conditional, "#if 1\n#elif UNKNOWN > 3\n#endif"),
    top(Macro, "#define __global__"),
    top(Macro, "#define if while"),
    top(Macro, "#define cudaMemsetAsync cudaMalloc"),
    top(Macro, "#define size 4\n#include <math.h>"),
    kernel(Macro, "if (__COUNTER__ > 3) i = 0;"),
    kernel(Macro, "i += __LINE__;"),
    kernel(Macro, "i += CUDART_VERSION;"),
    top(Macro, "#define CAT(a, b) a##b\n"
               "static_assert(CAT(__clang, _major__) > 3, \"\");"),
    kernel(ReservedName, "i += __clang_major__;"),
    kernel(ReservedName, "i += __func__[0];"),
    kernel(ReservedName, "__ak_yield(nullptr);"),
    kernel(ReservedName, "i += __AK_state;"),
    kernel(ReservedName, "__autokernel_entry();"),
    kernel(ReservedName, "i += int(AK_STATE_BASE);"),
    kernel(ReservedName, "int AK_mine = 3; i += AK_mine;"),
    top(Macro, "#define AK_STATE_BASE 0"),
    {Macro, "#define J(a, b) a##b", "", "i += J(A, K_STATE_BASE) > 0;"},
    {Macro, "#define J(a, b) a##b", "", "i += J(_, _GNUC__) == 4;"},
    {Macro, "#define J(a, b) a%:%:b", "", "i += J(_, _GNUC__) == 4;"},
    kernel(ReservedName, "int __mine = 3; i += __mine;"),
    top(Conditional, "#if __has_include(<cub/cub.cuh>)\n#endif"),
    inside(Pragma, "#pragma GCC optimize(\"fast-math\")"),
    inside(Pragma, "_Pragma(\"nv_exec_check_disable\")"),
    inside(Pragma, "#define P(x) _Pragma(#x)\nP(pack(1))"),
    // Declarations.
    top(ExternC, "extern \"C\" int other() { return 1; }"),
    top(ExternC, "extern \"C\" { int shared_counter; }"),
    top(ExternC, "extern \"C\" int system(const char *);"),
    top(Scope, "__global__ void outside() {}"),
    top(Scope, "struct Outside { int a; };"),
    top(Scope, "constexpr int Outside = 3;"),
    top(Scope, "template <int N> __device__ int outside() { return N; }"),
    top(Namespace, "namespace std { struct mine {}; }"),
    top(Namespace, "namespace cooperative_groups { struct mine {}; }"),
    inside(Declaration, "int nowhere(int);"),
    inside(Declaration, "extern const int Elsewhere;"),
    top(Declaration, "void *operator new(size_t) { return nullptr; }"),
    inside(Declaration, "int many(int a, ...) { return a; }"),
    top(Declaration, "extern \"C\" cudaError_t cudaGetLastError();"),
    inside(Attribute, "__attribute__((constructor)) void early() {}"),
    inside(Attribute, "__attribute__((destructor)) void late() {}"),
    inside(Attribute, "__attribute__((section(\"x\"))) constexpr int T = 1;"),
    inside(Attribute, "__attribute__((used)) constexpr int T = 1;"),
    top(Attribute,
        "namespace w { __attribute__((weak)) int f() { return 1; } }"),
    inside(Attribute, "int g() { return 1; }\n"
                      "int f() __attribute__((alias(\"g\")));"),
    inside(Attribute, "[[gnu::copy(x)]] void f() {}"),
    inside(Attribute, "int f() asm(\"other\"); int f() { return 1; }"),
    inside(State, "int calls;"),
    inside(State, "__device__ float cache[256];"),
    inside(State, "__constant__ float table[4];"),
    inside(State, "__managed__ int counter;"),
    inside(State, "thread_local int calls;"),
    inside(State, "__shared__ float early[4];"),
    inside(State, "struct S { static int n; }; int S::n;"),
    inside(State, "struct S { mutable int n; }; const S s{1};"),
    inside(State, "template <int N> int state;"),
    inside(State, "inline volatile const int Flag = 1;"),
    kernel(State, "static int calls; i += calls++;"),
    host(State, "static int calls = 0; n += calls++;"),
    inside(Initializer, "int f() { return 3; } const int T = f();"),
    inside(Initializer, "struct S { S() {} }; const S s;"),
    inside(Initializer, "struct S { constexpr S() {} ~S() {} }; const S s;"),
    inside(Virtual, "struct S { virtual void f() {} };"),
    inside(Virtual, "struct A {}; struct B : virtual A {};"),
    inside(Recursion, "__device__ int f(int n) { return n ? f(n - 1) : 0; }"),
    inside(Recursion, "__device__ int g(int n);\n"
                      "__device__ int f(int n) { return n ? g(n - 1) : 0; }\n"
                      "__device__ int g(int n) { return f(n); }"),
    inside(Recursion, "int f(int n) { return n ? f(n - 1) : 0; }"),
    // Host code.
    host(HostStatement, "try { n = 1; } catch (int) {}"),
    host(HostStatement, "n += blockIdx.x;"),
    host(HostStatement, "float *p = y; auto f = [p] { return 1; }; n = f();"),
    host(HostStatement, "auto f = [=]() { return y != nullptr; }; n += f();"),
    host(HostStatement, "int a[n]; n = sizeof(a);"),
    {HostStatement, "", "struct S { int a; ~S() { a = 0; } };", "",
     "S s{1}; n = s.a;"},
    {HostStatement, "", "__constant__ const int T[2] = {1, 2};", "",
     "n = T[1];"},
    host(HostCall, "printf(\"%d\", n);"),
    host(HostCall, "cudaMemset(y, 0, 4);"),
    host(HostCall, "int d; cudaGetDevice(&d);"),
    host(HostCall,
         "void *a[1]; cudaLaunchKernel((void *)0, 1, 1, a, 0, stream);"),
    host(HostDereference, "y[0] = 1;"),
    host(HostDereference, "*y = 1;"),
    host(HostDereference, "n = *(int *)workspace;"),
    host(HostDereference, "if (x[n - 1] > 0) return cudaSuccess;"),
    host(HostDereference, "float &r = y[3]; r = 1;"),
    host(HostDereference, "n = ((dim3 *)workspace)->x;"),
    host(MadePointer, "float *p = (float *)0x1000; y = p;"),
    host(MadePointer, "y = (float *)(size_t)n;"),
    host(MadePointer, "size_t a = a + a; y = (float *)(a + 1);"),
    kernel(MadePointer, "y[0] = *(const float *)0x70000000000;"),
    host(Declaration, "int fork(); n += fork();"),
    host(HostCall, "int fork(); n += fork();"),
    kernel(Declaration, "extern __device__ int other(int); i = other(i);"),
    host(FunctionPointer, "n += [](int a) { return a; } != nullptr;"),
    host(HostStatement, "int a[2] = {1, 2}; for (int v : a) n += v;"),
    {HostDereference, "",
     "constexpr auto peek = [](const float *p) { return *p; };", "",
     "if (peek(x) > 0) n = 1;"},
    {HostDereference, "",
     "struct P { float *p; operator float() { return *p; } };", "",
     "P p{y}; if (p + 1 > 0) n = 1;"},
    {HostDereference, "", "struct P { float *p; int v = *(int *)p; };", "",
     "P p{y}; n = p.v;"},
    {HostDereference, "",
     "struct P { float *p; int operator+(int v) const { return v + (*p > 0); } "
     "};",
     "", "P p{y}; n = p + 1;"},
    {FunctionPointer, "", "constexpr auto Clean = &cudaDeviceSynchronize;", "",
     "Clean();"},
    {FunctionPointer, "",
     "template <void (*K)(const float *, float *, int)> "
     "void go(const float *x, float *y, int n, cudaStream_t s) { auto k = K; "
     "k<<<1, 1, 0, s>>>(x, y, n); }",
     "", "go<scale>(x, y, n, stream);"},
    {State, "", "struct T { static inline int count = 0; };"},
    {State, "",
     "template <class T> struct U { static T value; }; "
     "template <class T> T U<T>::value;"},
    {Attribute, "", "struct __attribute__((visibility(\"default\"))) V {};"},
    {HostDereference, "", "void fill(float *p) { p[0] = 1; }", "", "fill(y);"},
    {HostDereference, "",
     "__host__ __device__ float first(const float *p) { return *p; }", "",
     "if (first(x) > 0) n = 1;"},
    {HostDereference, "",
     "struct Box { const float *p; float get() const { return p[0]; } };", "",
     "Box b{x}; if (b.get() > 0) n = 1;"},
    {HostDereference, "",
     "template <class T> int peek(T *p) { return p[0] > 0; }", "",
     "n += peek(x);"},
    {HostDereference, "", "struct A { int v; A(const float *p) : v(p[0]) {} };",
     "", "A a(x); n = a.v;"},
    {HostDereference, "",
     "int later(const float *p, int v = *(int *)0) "
     "{ return v; }",
     "", "n = later(x);"},
    host(HostAddress,
         "cudaMemcpyAsync(y, &n, 4, cudaMemcpyDeviceToDevice, stream);"),
    host(HostAddress, "float a[2] = {1, 2}; cudaMemcpyAsync(y, a, 8, "
                      "cudaMemcpyDeviceToDevice, stream);"),
    host(HostAllocation, "int *p = new int[3]; p = nullptr;"),
    host(HostAllocation, "delete y;"),
    host(HostSynchronisation, "cudaDeviceSynchronize();"),
    host(HostSynchronisation, "cudaStreamSynchronize(stream);"),
    host(Stream, "scale<<<1, 1>>>(x, y, n);"),
    host(Stream, "scale<<<1, 1, 0, 0>>>(x, y, n);"),
    host(Stream, "scale<<<1, 1, 0, cudaStreamLegacy>>>(x, y, n);"),
    host(Stream, "cudaMemsetAsync(y, 0, 4);"),
    host(Stream, "cudaMemsetAsync(y, 0, 4, 0);"),
    host(Stream, "stream = nullptr;"),
    host(Stream, "cudaStream_t other = (cudaStream_t)workspace;"),
    host(MemcpyKind,
         "cudaMemcpyAsync(y, x, 4, cudaMemcpyHostToDevice, stream);"),
    host(MemcpyKind, "cudaMemcpyAsync(y, x, 4, cudaMemcpyDefault, stream);"),
    host(FunctionPointer, "auto k = &scale; k<<<1, 1, 0, stream>>>(x, y, n);"),
    {FunctionPointer, "", "int one() { return 1; }", "",
     "int (*f)() = one; n = f();"},
    // Anywhere, device.
    kernel(InlineAssembly, "asm volatile(\"\");"),
    host(InlineAssembly, "asm volatile(\"\");"),
    top(InlineAssembly, "asm(\".globl x\");"),
    kernel(DeviceCall, "printf(\"%d\", i);"),
    kernel(DeviceCall, "__trap();"),
    kernel(DeviceCall, "i += clock64() & 1;"),
    kernel(DeviceAllocation, "y = new float[4];"),
    kernel(DynamicParallelism, "scale<<<1, 1>>>(x, y, n);"),
    kernel(Builtin, "i = __builtin_popcount(i);"),
    {ConstCast, "", "__constant__ const float T[2] = {1, 2};",
     "*(float *)(const float *)T = 3;"},
    {ConstCast, "", "__constant__ const float T[2] = {1, 2};",
     "memset((void *)T, 0, 4);"},
    {ConstCast, "", "__constant__ const float T[2] = {1, 2};",
     "*(float *)(size_t)T = 3;"},
    kernel(ConstCast, "static const int calls = 0; *(int *)&calls += 1;"),
    kernel(State, "static constexpr float T[2] = {1, 2}; y[0] = T[i & 1];"),
    inside(State, "__device__ const float T[2] = {1, 2};"),
    {DeviceCall, "", "", "#if __CUDA_ARCH__ == 800\n__trap();\n#endif\n"},
    {DeviceCall, "", "template <class F> __device__ void run(F f) { f(); }",
     "run([] { __trap(); });"},
    {DeviceCall, "",
     "template <int N> struct S { __device__ void f() "
     "{ if constexpr (N == 1) __trap(); } };",
     "S<1>().f();"},
};

TEST(Rules, DeepNestingIsRefusedAndSurvived) {
  std::string Sum = "i = i";
  for (int I = 0; I < 20000; ++I)
    Sum += "+1";
  EXPECT_FALSE(check(candidate(kernel(Parse, Sum + ";"))).accepted());
}

TEST(Rules, HonestCandidateIsAccepted) {
  RuleResult R = check(candidate({}));
  EXPECT_TRUE(R.accepted()) << listing(R);
}

TEST(Rules, EachCheatIsRefusedByItsRule) {
  for (const Case &C : Cases) {
    std::string Text = candidate(C);
    RuleResult R = check(Text);
    bool Found = llvm::any_of(
        R.Violations, [&](const RuleViolation &V) { return V.Id == C.Broken; });
    EXPECT_TRUE(Found) << "wanted " << ruleName(C.Broken).str() << " for\n"
                       << C.Top << C.Namespace << C.Kernel << C.Host
                       << "\ngot\n"
                       << listing(R);
  }
}

TEST(Rules, LauncherMustMatchTheContract) {
  auto First = [](std::string Text) {
    RuleResult R = check("#include <cuda_runtime.h>\n" + Text);
    return R.accepted() ? "accepted" : ruleName(R.Violations[0].Id).str();
  };
  std::string Rest = "void *w, size_t b, cudaStream_t s) "
                     "{ return cudaGetLastError(); }";
  std::string Good =
      "extern \"C\" cudaError_t autokernel_scale(const float *x, "
      "float *y, int n, ";
  EXPECT_EQ(First(Good + Rest), "accepted");
  EXPECT_EQ(First(""), "launcher-missing");
  EXPECT_EQ(First(Good + "void *w, size_t b, cudaStream_t s);"),
            "launcher-missing");
  EXPECT_EQ(First("extern \"C\" cudaError_t autokernel_scale(float *x, float "
                  "*y, int n, " +
                  Rest),
            "launcher-signature");
  EXPECT_EQ(First("extern \"C\" cudaError_t autokernel_scale(const float *y, "
                  "float *x, int n, " +
                  Rest),
            "launcher-signature");
  EXPECT_EQ(First("extern \"C\" int autokernel_scale(const float *x, float *y, "
                  "int n, " +
                  Rest.substr(0, Rest.find('{')) + "{ return 0; }"),
            "launcher-signature");
  std::string Size = "extern \"C\" size_t autokernel_scale_workspace(";
  EXPECT_EQ(
      First(Size + "int n) { return n * sizeof(float); }\n" + Good + Rest),
      "accepted");
  EXPECT_EQ(First(Size + "const float *x) { return 1; }\n" + Good + Rest),
            "workspace-signature");
  EXPECT_EQ(
      First(Size + "int n) { cudaGetLastError(); return n; }\n" + Good + Rest),
      "host-call");
}

TEST(Rules, AssemblyMayBeAllowedButNotForClocks) {
  RuleRequest Request = request();
  Request.AllowInlineAssembly = true;
  EXPECT_TRUE(check(candidate(kernel(Parse, "asm volatile(\"\");")), Request)
                  .accepted());
  RuleResult Ptx = check(
      candidate(kernel(
          Parse, "float r; asm(\"rsqrt.approx.ftz.f32 %0, %1;\" : "
                 "\"=f\"(r) : \"f\"(x[0])); y[0] = r; "
                 "asm volatile(\"prefetch.global.L2 [%0];\" :: \"l\"(x));")),
      Request);
  EXPECT_TRUE(Ptx.accepted()) << listing(Ptx);
  RuleResult R = check(
      candidate(kernel(Parse, "unsigned t; asm(\"mov.u32 %0, %%clock;\" : "
                              "\"=r\"(t)); i += t;")),
      Request);
  ASSERT_FALSE(R.accepted());
  EXPECT_EQ(R.Violations[0].Id, InlineAssembly) << listing(R);
}

TEST(Rules, ViolationsNameTheirLine) {
  RuleResult R = check(candidate(host(Parse, "y[0] = 1;")));
  ASSERT_EQ(R.Violations.size(), 1u) << listing(R);
  EXPECT_EQ(R.Violations[0].Id, HostDereference);
  EXPECT_EQ(R.Violations[0].Line, 13u);
}

TEST(Rules, UnknownContractTypeIsAnError) {
  RuleRequest Request = request();
  Request.Parameters[0].Type = "struct nowhere::Foo *";
  auto R = checkRules(candidate({}), Request, emulatorRuleParser());
  ASSERT_FALSE(bool(R));
  llvm::consumeError(R.takeError());
}

TEST(Rules, EveryRuleHasACase) {
  std::set<RuleId> Seen = {LauncherMissing, LauncherSignature,
                           WorkspaceSignature};
  for (const Case &C : Cases)
    Seen.insert(C.Broken);
#define RULE(Id, Name, Sentence) EXPECT_TRUE(Seen.count(Id)) << Name;
#include "compile/Rules.def"
}

} // namespace
