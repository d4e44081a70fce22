#include "Items.h"
#include "emit/Symbols.h"

#include <gtest/gtest.h>

namespace autokernel {
namespace {

/// The rewritten text without its first two lines.
std::string body(const std::string &text) {
  return text.substr(text.find('\n', text.find('\n') + 1) + 1);
}

std::string rewritten(const std::string &source,
                      const std::vector<EmitItem> &items) {
  return rewriteSource(source, "a.cpp", "/b/a.autokernel.h", items);
}

TEST(Rewrite, NothingAnnotatedStaysAsItIs) {
  std::string source = "int x;\n// last line without end";
  EXPECT_EQ(rewritten(source, {}),
            "#include \"/b/a.autokernel.h\"\n#line 1 \"a.cpp\"\n" + source);
}

TEST(Rewrite, TheLoopStaysOnItsLine) {
  std::string source = "void f() {\n"
                       "  [[autokernel]] for (int i = 0; i < n; ++i)\n"
                       "    y[i] = x[i]; // why\n"
                       "}\n";
  EmitItem item = saxpyItem();
  place(item, source, "for", "x[i]");
  std::string d = dispatchName(item), c = compareName(item);
  EXPECT_EQ(body(rewritten(source, {item})),
            "void f() {\n"
            "                 { const int autokernel_mode_ = " +
                d +
                "(n, a, x, y); if (autokernel_mode_ != 1) { for (int i = 0; "
                "i < n; ++i)\n"
                "    y[i] = x[i]; } if (autokernel_mode_ == 2) { " +
                c + "(); } } // why\n}\n");
}

TEST(Rewrite, LiveCountersAreSetWhenTheKernelRan) {
  std::string source = "[[autokernel]] for (; i < n; ++i) { y[i] = x[i]; }";
  EmitItem item = saxpyItem();
  item.finalCounters["i"] = "(n > 0 ? n : 0)";
  place(item, source, "for", "; }");
  std::string text = rewritten(source, {item});
  EXPECT_NE(text.find("if (autokernel_mode_ == 1) { i = (n > 0 ? n : 0); } }"),
            std::string::npos)
      << text;
}

TEST(Rewrite, ScalarResultsGoByAddress) {
  std::string source = "[[autokernel]] for (;;) {}";
  EmitItem item = sumItem();
  place(item, source, "for", "{}");
  EXPECT_NE(rewritten(source, {item}).find("(n, twice, x, &(total));"),
            std::string::npos);
}

TEST(Rewrite, WithoutAKernelOnlyTheAttributeGoes) {
  std::string source = "[[autokernel(\n\"name\")]] for (;;) {}\n";
  EmitItem item = saxpyItem();
  item.kernelPath.clear();
  place(item, source, "for", "{}");
  EXPECT_EQ(body(rewritten(source, {item})),
            "             \n          for (;;) {}\n");
}

TEST(Rewrite, BracketsGoWithTheirOnlyAttribute) {
  std::string source = "[[ autokernel ]] for (;;) {}\n";
  EmitItem item = saxpyItem();
  item.kernelPath.clear();
  item.region.attributeBegin = 3;
  item.region.attributeEnd = 13;
  item.region.begin = 17;
  item.region.end = 28;
  EXPECT_EQ(body(rewritten(source, {item})), "                 for (;;) {}\n");
  source = "[[likely, autokernel]] for";
  item.region.attributeBegin = 8;
  item.region.attributeEnd = 20;
  EXPECT_EQ(body(rewritten(source, {item})), "[[likely            ]] for");
}

TEST(Rewrite, AnAttributeFromAMacroStays) {
  std::string source = "AUTOKERNEL() for (;;) {}\n";
  EmitItem item = saxpyItem();
  place(item, source, "for", "{}");
  EXPECT_EQ(body(rewritten(source, {item})).rfind("AUTOKERNEL() { const", 0),
            0u);
}

TEST(Rewrite, PragmasStayWithTheirLoop) {
  std::string source = "void f() {\n"
                       "#pragma omp parallel for\n"
                       "  [[autokernel]]\n"
                       "  for (;;) {}\n"
                       "}\n";
  EmitItem item = saxpyItem();
  place(item, source, "for (;;)", "{}");
  std::string text = body(rewritten(source, {item}));
  EXPECT_EQ(text.rfind("void f() {\n{ const int", 0), 0u) << text;
  EXPECT_NE(text.find("{ \n#line 2 \"a.cpp\"\n#pragma omp parallel for\n"
                      "                \n  for (;;) {} }"),
            std::string::npos)
      << text;
}

TEST(Rewrite, CrlfAndByteOrderMarkStay) {
  std::string source = "\xEF\xBB\xBFint a;\r\nint b;\r\n";
  EXPECT_EQ(rewritten(source, {}),
            "\xEF\xBB\xBF#include \"/b/a.autokernel.h\"\r\n#line 1 "
            "\"a.cpp\"\r\nint a;\r\nint b;\r\n");
}

TEST(Rewrite, PathsAreQuoted) {
  std::string text = rewriteSource("", "C:\\a \"b\".cpp", "h", {});
  EXPECT_NE(text.find("#line 1 \"C:\\\\a \\\"b\\\".cpp\""), std::string::npos);
}

TEST(Rewrite, SeveralRegions) {
  std::string source = "[[autokernel]] for (a;;) {} [[autokernel]] for (b;;) ;";
  EmitItem first = saxpyItem(), second = sumItem();
  place(first, source, "for (a", "{}");
  place(second, source, "for (b", " ;");
  std::string text = body(rewritten(source, {second, first}));
  size_t a = text.find(dispatchName(first)),
         b = text.find(dispatchName(second));
  EXPECT_LT(a, b);
  EXPECT_LT(text.find("for (a;;) {} } if"), b);
  EXPECT_NE(text.find("for (b;;) ; } if"), std::string::npos);
}

} // namespace
} // namespace autokernel
