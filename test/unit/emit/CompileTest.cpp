// What emit writes goes through the compilers that users have.
#include "Items.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace autokernel {
namespace {

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "emit XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  std::string write(const std::string &name, const std::string &text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
};

bool runs(const std::string &command) {
  return std::system(command.c_str()) == 0;
}

const char Loops[] = R"(
void plain(int n, float a, const float *x, float *y) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
}
)";

/// One body per shape of code around the loop; `LOOP` stands for it.
const char *const Shapes[] = {
    "  LOOP\n",
    "  if (n > 3)\n    LOOP\n  else\n    y[0] = 1;\n",
    "  if (n > 3) {\n    if (n > 4)\n      LOOP\n    else\n      y[0] = 1;\n  "
    "}\n",
    "  for (int k = 0; k < 2; ++k)\n    LOOP\n  y[0] = 2;\n",
    "  switch (n) {\n  case 1:\n    LOOP\n    break;\n  default:\n    LOOP2\n"
    "  }\n",
    "  if (n > 3)\n    LOOP\n  y[0] = 3;\n",
    "  do LOOP while (n < 0);\n",
    "#pragma GCC ivdep\n  LOOP\n",
};

std::string shaped(const std::string &shape) {
  const std::string loop = "[[autokernel]] for (int i = 0; i < n; ++i)\n"
                           "      y[i] = a * x[i] + y[i];";
  std::string text = shape;
  for (const char *mark : {"LOOP2", "LOOP"})
    if (size_t at = text.find(mark); at != std::string::npos)
      text.replace(at, std::string(mark).size(), loop);
  return "void f(int n, float a, const float *x, float *y);\n"
         "void f(int n, float a, const float *x, float *y) {\n" +
         text + "}\n";
}

std::vector<EmitItem> itemsFor(const std::string &source) {
  std::vector<EmitItem> items;
  for (size_t at = source.find("[[autokernel]]"); at != std::string::npos;
       at = source.find("[[autokernel]]", at + 1)) {
    EmitItem item = saxpyItem();
    item.region.attributeBegin = unsigned(at);
    item.region.attributeEnd = unsigned(at + 14);
    item.region.begin = unsigned(source.find("for", at));
    item.region.end = unsigned(source.find(';', source.find("y[i]", at)));
    items.push_back(item);
  }
  return items;
}

void expectCompiles(const std::string &source, const std::string &shape) {
  Folder folder;
  std::vector<EmitItem> items = itemsFor(source);
  ASSERT_FALSE(items.empty());
  std::string header = folder.write("a.autokernel.h", dispatchHeader(items[0]));
  std::string text = rewriteSource(source, "a b.cpp", header, items);
  const char *const Compilers[][2] = {
      {"gcc -std=c99", "a.c"},     {"gcc -std=c17", "a.c"},
      {"g++ -std=c++11", "a.cpp"}, {"g++ -std=c++20", "a.cpp"},
      {"clang -std=c17", "a.c"},   {"clang++ -std=c++17", "a.cpp"}};
  for (auto &[compiler, name] : Compilers) {
    std::string file = folder.write(name, text);
    // Clang knows GCC's pragma not at all.
    EXPECT_TRUE(runs(std::string(compiler) +
                     " -Wall -Wextra -Werror -Wno-unknown-pragmas "
                     "-fsyntax-only '" +
                     file + "'"))
        << compiler << " on\n"
        << shape << "\n"
        << text;
  }
}

struct Shape : testing::TestWithParam<const char *> {};
TEST_P(Shape, CompilesWithoutWarnings) {
  expectCompiles(shaped(GetParam()), GetParam());
}
INSTANTIATE_TEST_SUITE_P(All, Shape, testing::ValuesIn(Shapes));

TEST(Compile, ErrorsNameTheOriginal) {
  Folder folder;
  std::string source = std::string(Loops) + "int wrong = nothing;\n";
  std::vector<EmitItem> items = itemsFor(source);
  std::string header = folder.write("a.autokernel.h", dispatchHeader(items));
  std::string file = folder.write(
      "b.cpp", rewriteSource(source, "the original.cpp", header, items));
  std::string log = (folder.path / "log").string();
  EXPECT_FALSE(runs("g++ -fsyntax-only '" + file + "' 2> '" + log + "'"));
  EXPECT_TRUE(runs("grep -q 'the original.cpp:6:13: error' '" + log + "'"));
}

TEST(Compile, ArraysOfManyKindsConvert) {
  Folder folder;
  EmitItem item = saxpyItem();
  std::string header = folder.write("a.autokernel.h", dispatchHeader({item}));
  const char *const Text = "enum color { red };\n"
                           "void f(const enum color *e, double (*rows)[40]);\n"
                           "void f(const enum color *e, double (*rows)[40]) {\n"
                           "  [[autokernel]] for (int i = 0; i < 3; ++i)\n"
                           "    rows[i][0] = e[i];\n"
                           "}\n";
  item.contract.params[0].argument = "3";
  item.contract.params[1].argument = "1";
  item.contract.params[2].argument = "e";
  item.contract.params[3].argument = "rows";
  std::string source = Text;
  place(item, source, "for", "e[i];");
  std::string text = rewriteSource(source, "a.c", header, {item});
  EXPECT_TRUE(runs("gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only '" +
                   folder.write("a.c", text) + "'"));
  EXPECT_TRUE(runs("g++ -Wall -Wextra -Werror -fsyntax-only '" +
                   folder.write("a.cpp", text) + "'"));
}

TEST(Compile, TheHeaderIsPlainC) {
  Folder folder;
  std::vector<EmitItem> items = {saxpyItem(), sumItem()};
  EXPECT_TRUE(runs("gcc -std=c90 -pedantic-errors -Wall -Wextra -Werror "
                   "-Wstrict-prototypes "
                   "-fsyntax-only -include '" +
                   folder.write("a.h", dispatchHeader(items)) + "' '" +
                   folder.write("b.c", "int x;\n") + "'"));
}

TEST(Compile, TwoKernelsInOneCudaFile) {
  if (!*NVCC)
    GTEST_SKIP() << "no nvcc";
  Folder folder;
  EmitItem saxpy = saxpyItem(), sum = sumItem(), other = saxpyItem();
  std::string &text = other.kernelSource;
  text.replace(text.find("autokernel_saxpy"), 16, "autokernel_other");
  other.contract.id = "other";
  std::vector<EmitItem> items = {saxpy, sum, other};
  std::string header = folder.write("a.autokernel.h", dispatchHeader(items));
  std::string file =
      folder.write("a.autokernel.cu", dispatchSource(items, header));
  EXPECT_TRUE(runs(std::string(NVCC) +
                   " -std=c++17 -arch=sm_80 -Werror all-warnings -I " +
                   RUNTIME_INCLUDE + " -c '" + file + "' -o '" +
                   (folder.path / "a.o").string() + "'"));
}

} // namespace
} // namespace autokernel
