#include "Items.h"
#include "emit/Symbols.h"

#include <gtest/gtest.h>

namespace autokernel {
namespace {

/// Each of `parts` in this order.
void expectInOrder(const std::string &text,
                   const std::vector<std::string> &parts) {
  size_t at = 0;
  for (const std::string &part : parts) {
    size_t found = text.find(part, at);
    ASSERT_NE(found, std::string::npos) << part << "\nnot in\n"
                                        << text.substr(at);
    at = found + part.size();
  }
}

TEST(Suffix, TwelveDigitsFromFingerprintAndKernel) {
  EmitItem a = saxpyItem(), b = a, c = a;
  b.kernelDigest = "edited";
  c.contract.fingerprint[0] = '1';
  EXPECT_EQ(symbolSuffix(a).size(), 12u);
  EXPECT_EQ(symbolSuffix(a), symbolSuffix(saxpyItem()));
  EXPECT_NE(symbolSuffix(a), symbolSuffix(b));
  EXPECT_NE(symbolSuffix(a), symbolSuffix(c));
}

TEST(Header, Declarations) {
  EmitItem saxpy = saxpyItem(), sum = sumItem(), none = saxpyItem();
  none.contract.id = "none";
  none.kernelPath.clear();
  std::string text = dispatchHeader({saxpy, sum, none});
  expectInOrder(text, {"extern \"C\"",
                       "int " + dispatchName(saxpy) +
                           "(int p0, float p1, const void *p2, void *p3);",
                       "void " + compareName(saxpy) + "(void);",
                       "int " + dispatchName(sum) +
                           "(int p0, unsigned char p1, const void *p2, void "
                           "*p3);"});
  EXPECT_EQ(text.find("none"), std::string::npos);
  EXPECT_EQ(text.find("#include"), std::string::npos);
}

TEST(Source, NothingToDispatch) {
  EXPECT_EQ(dispatchSource({}, "a.h").find("#include"), std::string::npos);
}

TEST(Source, TheLauncherIsRenamedAroundTheStoredFile) {
  EmitItem item = saxpyItem();
  expectInOrder(dispatchSource({item}, "a.h"),
                {"#include <cuda_runtime.h>", "\"autokernel/dispatch.h\"",
                 "#include \"a.h\"", "// --- saxpy, src/saxpy.cpp:3",
                 "#define autokernel_saxpy " + launcherName(item, "a.h"),
                 "#define autokernel_saxpy_workspace " +
                     launcherName(item, "a.h") + "_workspace",
                 "namespace kernel_saxpy_", "#line 1 \"/store/saxpy.cu\"",
                 "#undef autokernel_saxpy\n", "#undef BLOCK"});
}

TEST(Source, Tables) {
  EmitItem item = sumItem();
  expectInOrder(
      dispatchSource({item}, "a.h"),
      {"Instr instrs[] = {", "{Op::Const, 0},",
       "unsigned paths[] = {\n    0, 0\n};", "Code conditions[] = {",
       "{\"total\", Kind::Float, 8, false, Role::InOut, false, false, "
       "false, {}},",
       "LoopFacts facts[] = {\n    {-1, true},", "{2, false, {instrs",
       "GuardCode guards[] = {", "\"why\"", "Code assumptions[] = {",
       "*static_cast<const unsigned char *>(v[1]) != 0", "Pointer{v[3]}",
       "std::make_index_sequence<1>",
       "2147483647, false, 1.0000000000000001e-05, 0, launch, "
       "workspace"});
}

TEST(Source, IndexArraysAreMarked) {
  EmitItem item = saxpyItem();
  item.contract.params[2].type = IntType;
  item.contract.accesses[2].index = expr({{Op::Data, 2}});
  expectInOrder(dispatchSource({item}, "a.h"),
                {"{\"x\", Kind::Int, 4, true, Role::In, false, false, true,"});
}

TEST(Source, LoopsAreFoundByTheirId) {
  EmitItem item = saxpyItem();
  item.contract.loops[0].id = 7;
  for (Access &a : item.contract.accesses) {
    a.path = {7};
    a.index = expr({{Op::Counter, 7}});
  }
  std::string text = dispatchSource({item}, "a.h");
  expectInOrder(text, {"{Op::Counter, 0},", "paths[] = {\n    0, 0, 0\n}"});
}

} // namespace
} // namespace autokernel
