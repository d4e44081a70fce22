"""Small projects that use the installed or the built package, most with a fake tool.

Each test writes a project into a folder of its own (with a space in its name),
configures and builds it, and looks at what the tool was started with.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
from project import HEADER, LOOP, Project, main_source, options  # noqa: E402


class Downstream(unittest.TestCase):
    def project(self, *args, **named):
        p = Project(*args, **named)
        self.addCleanup(p.remove)
        return p

    def check_life_of_a_build(self, generator, prefix):
        p = self.project(prefix=prefix, text="""
add_executable(app main.cpp one.cpp plain.cpp)
autokernel_add_sources(app)
target_sources(app PRIVATE two.c)
target_compile_options(app PRIVATE -Wall -Wextra -Werror)
set_source_files_properties(one.cpp PROPERTIES COMPILE_DEFINITIONS "NAME=one")
""", generator=generator, languages="C CXX")
        p.write("main.cpp", main_source("one", c=["two"]))
        one = p.loop("one", "#ifndef NAME\n#error per-source definitions are lost\n#endif")
        p.loop("two", extension="c")
        p.write("plain.cpp", "int plain() { return 0; }\n")
        p.configure()
        p.make()
        self.assertEqual(p.rewrites(), ["one.cpp", "two.c"])
        p.expect(self, p.build / "app", "6")
        p.expect_dispatch(self, p.build / "app")
        self.assertTrue((p.source / "autokernel/one0.cu").exists())

        text = p.make()
        self.assertNotRegex(text, "Building|autokernel one")
        self.assertEqual(p.rewrites(), [])

        header = p.source / "one.h"
        header.write_text(header.read_text() + "// changed\n")
        text = p.make()
        self.assertEqual(p.rewrites(), ["one.cpp"])
        self.assertNotIn("Building CUDA", text)
        self.assertNotRegex(p.make(), "Building|autokernel one")
        self.assertEqual(p.rewrites(), [])

        p.configure()
        p.make()
        self.assertNotRegex(p.make(), "Building|autokernel one")
        self.assertEqual(p.rewrites(), [])

        one.write_text(one.read_text().replace("void one", "\n\nvoid one"))
        p.make()
        self.assertEqual(p.rewrites(), ["one.cpp"])

        p.make("--target", "clean")
        self.assertTrue((p.source / "autokernel/one0.cu").exists())
        p.make()
        p.expect(self, p.build / "app", "6")
        self.assertEqual(p.rewrites(), ["one.cpp", "two.c"])

    def test_life_of_a_build_with_ninja(self):
        self.check_life_of_a_build("Ninja", "autokernel ä+ ")

    def test_life_of_a_build_with_make(self):
        self.check_life_of_a_build("Unix Makefiles", "autokernel ä+ ")

    def test_several_configurations(self):
        p = self.project("add_executable(app main.cpp one.cpp)\nautokernel_add_sources(app)",
                         generator="Ninja Multi-Config")
        p.write("main.cpp", main_source("one"))
        p.loop("one")
        p.configure()
        p.make("--config", "Debug")
        self.assertEqual(p.rewrites(), ["one.cpp"])
        p.make("--config", "Release")
        self.assertEqual(p.rewrites(), ["one.cpp"])
        p.expect_dispatch(self, p.build / "Release/app")
        self.assertNotIn("Building", p.make("--config", "Debug"))

    def test_untouched_when_switched_off_or_without_cuda(self):
        text = ("add_executable(app main.cpp one.cpp two.c)\nautokernel_add_sources(app)\n"
                "target_compile_options(app PRIVATE -Wall -Wextra -Werror)")
        for switch in ("-DAUTOKERNEL=OFF", "-DCMAKE_CUDA_COMPILER=CMAKE_CUDA_COMPILER-NOTFOUND"):
            for compilers in ((), ("-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++")):
                p = self.project(text, languages="C CXX")
                p.write("main.cpp", main_source("one", c=["two"]))
                p.loop("one")
                p.loop("two", extension="c")
                self.assertEqual(p.configure(switch, *compilers).count("autokernel:"), 1)
                p.make()
                self.assertEqual(p.rewrites(), [])
                p.expect(self, p.build / "app", "6")

    def test_one_source_in_two_targets_and_one_name_in_two_folders(self):
        p = self.project("""
foreach(t IN ITEMS red blue)
  add_executable(${t} main.cpp one.cpp sub/one.cpp "odd #+name.cpp")
  target_compile_definitions(${t} PRIVATE WHICH=${t})
  autokernel_add_sources(${t})
endforeach()
set_source_files_properties(sub/one.cpp PROPERTIES COMPILE_DEFINITIONS one=other)
""")
        p.write("main.cpp", main_source("one", "other"))
        p.loop("one")
        p.write("sub/one.cpp", LOOP.format("one", ""))
        p.write("odd #+name.cpp", LOOP.format("one", "#define one odd"))
        p.write("sub/one.h", HEADER.format("one"))
        p.configure()
        p.make()
        lines = p.log.read_text()
        self.assertEqual(lines.count("  which red"), 3)
        self.assertEqual(lines.count("  which blue"), 3)
        p.expect(self, p.build / "blue", "6")

    def test_libraries_and_their_export(self):
        p = self.project("""
add_library(lib STATIC one.cpp)
autokernel_add_sources(lib)
add_library(ds::lib ALIAS lib)
add_library(shared SHARED two.cpp)
autokernel_add_sources(shared)
add_library(parts OBJECT three.cpp)
autokernel_add_sources(parts)
target_link_libraries(lib m)
add_executable(app main.cpp)
target_link_libraries(app PRIVATE ds::lib shared parts)
install(TARGETS lib shared EXPORT ds)
install(EXPORT ds NAMESPACE ds:: DESTINATION lib/cmake/ds)
file(WRITE ${CMAKE_BINARY_DIR}/dsConfig.cmake "include(CMakeFindDependencyMacro)
find_dependency(CUDAToolkit)
include(\\${CMAKE_CURRENT_LIST_DIR}/ds.cmake)")
install(FILES ${CMAKE_BINARY_DIR}/dsConfig.cmake DESTINATION lib/cmake/ds)
""")
        p.write("main.cpp", main_source("one", "two", "three"))
        for name in ("one", "two", "three"):
            p.loop(name)
        p.configure()
        p.make()
        p.expect(self, p.build / "app", "8")
        p.expect_dispatch(self, p.build / "app")
        p.run(options.cmake, "--install", p.build, "--prefix", p.base / "prefix")
        consumer = Project("", languages="CXX")
        self.addCleanup(consumer.remove)
        consumer.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\n"
                       "project(c LANGUAGES CXX)\nfind_package(ds CONFIG REQUIRED)\n"
                       "add_executable(app main.cpp)\n"
                       "target_link_libraries(app PRIVATE ds::lib ds::shared)\n")
        consumer.write("main.cpp", main_source("one", "two"))
        consumer.configure(f"-DCMAKE_PREFIX_PATH={p.base / 'prefix'}")
        consumer.make()
        consumer.expect_dispatch(self, consumer.build / "app")

    def test_frozen(self):
        p = self.project("add_executable(app main.cpp one.cpp)\nautokernel_add_sources(app)")
        p.write("main.cpp", main_source("one"))
        p.loop("one")
        p.configure("-DAUTOKERNEL_FROZEN=ON")
        self.assertIn("one0 is missing", p.make(ok=False))
        self.assertFalse((p.source / "autokernel").exists())
        p.configure("-DAUTOKERNEL_FROZEN=OFF")
        p.make()
        p.configure("-DAUTOKERNEL_FROZEN=ON")
        p.make()
        p.expect(self, p.build / "app", "4")

    def test_a_c_project(self):
        p = self.project("add_executable(app main.c one.c)\nautokernel_add_sources(app)",
                         languages="C")
        p.write("main.c", main_source("one"))
        p.loop("one", extension="c")
        p.configure()
        p.make()
        p.expect_dispatch(self, p.build / "app")

    def test_unity_and_precompiled_headers(self):
        p = self.project("""
add_executable(app main.cpp one.cpp two.cpp)
set_target_properties(app PROPERTIES UNITY_BUILD ON)
target_precompile_headers(app PRIVATE <vector> shared.h)
autokernel_add_sources(app)
""")
        p.write("shared.h", "#define SHARED 1\n")
        p.write("main.cpp", main_source("one", "two"))
        for name in ("one", "two"):  # would clash in one translation unit
            p.loop(name, "namespace { int clash = SHARED; int use() { return clash; } }"
                         f"\nint use_{name}() {{ return use(); }}")
        p.configure()
        p.make()
        p.expect(self, p.build / "app", "6")

    def test_a_subdirectory(self):
        p = self.project("add_subdirectory(lib)\nadd_executable(app main.cpp)\n"
                         "target_link_libraries(app PRIVATE lib)")
        p.write("lib/CMakeLists.txt", "add_library(lib STATIC one.cpp)\n"
                                      "autokernel_add_sources(lib KERNEL_DIR kernels)")
        p.write("main.cpp", main_source("one"))
        p.loop("one", folder="lib")
        p.configure()
        p.make()
        p.expect_dispatch(self, p.build / "app")
        self.assertTrue((p.source / "lib/kernels/one0.cu").exists())

    def test_architectures(self):
        text = "add_executable(app one.cpp)\nautokernel_add_sources(app{0})"
        chosen = {"": "80,90", "set(CMAKE_CUDA_ARCHITECTURES \"\")": "80,90",
                  "set(CMAKE_CUDA_ARCHITECTURES 90)": "90"}
        if not Path("/dev/nvidiactl").exists():
            chosen["set(CMAKE_CUDA_ARCHITECTURES native)"] = "80,90"
        for setting, expected in chosen.items():
            p = self.project(text.format(""), architectures=setting)
            p.loop("one")
            for _ in range(2):  # the second run finds CMake's choice in the cache
                p.configure()
                self.assertIn(f"--architectures={expected} ", (p.build / "build.ninja").read_text())
        p = self.project(text.format(" ARCHITECTURES 75 89"), architectures="")
        p.loop("one")
        p.configure()
        self.assertIn("--architectures=75,89 ", (p.build / "build.ninja").read_text())

    def test_a_replaced_tool_runs_again(self):
        p = self.project("add_executable(app main.cpp one.cpp)\nautokernel_add_sources(app)")
        p.write("main.cpp", main_source("one"))
        p.loop("one")
        tool = shutil.copy(options.tool, p.base / "tool")
        p.configure(f"-DAUTOKERNEL_TOOL={tool}")
        p.make("--target", "app.autokernel")
        p.rewrites()
        os.utime(tool)
        p.make("--target", "app.autokernel")
        self.assertEqual(p.rewrites(), ["one.cpp"])

    def test_misuse_is_told(self):
        p = self.project("add_executable(app one.cpp)\n"
                         "autokernel_add_sources(app COLOUR red MODEL SOURCES nothing.cpp)")
        p.loop("one")
        text = p.configure("-Wdev")
        for part in ("unknown argument 'COLOUR'", "unknown argument 'red'", "MODEL has no value",
                     "nothing.cpp is no C or C++ source"):
            self.assertIn(part, " ".join(text.split()))
        for call, complaint in (("app GENERATOR magic", "not one of template"),
                                ("none", "there is no target 'none'"),
                                ("library", "compiles no sources of its own")):
            p = self.project("add_executable(app one.cpp)\nadd_library(library INTERFACE)\n"
                             f"autokernel_add_sources({call})")
            p.loop("one")
            self.assertIn(complaint, " ".join(p.configure("-DAUTOKERNEL=OFF", ok=False).split()))

    def test_a_source_that_gets_its_first_annotation(self):
        p = self.project("add_executable(app main.cpp one.cpp)\nautokernel_add_sources(app)")
        p.write("main.cpp", main_source("one"))
        one = p.loop("one")
        text = one.read_text()
        one.write_text(text.replace("[[autokernel]] ", ""))
        p.configure()
        p.make()
        self.assertEqual(p.rewrites(), [])
        one.write_text(text)
        self.assertIn("build again", p.make())
        p.make()
        self.assertEqual(p.rewrites(), ["one.cpp"])

    def test_a_header_that_gets_its_first_annotation(self):
        p = self.project("add_executable(app main.cpp one.cpp)\nautokernel_add_sources(app)\n"
                         "target_include_directories(app PRIVATE \"in clude\")")
        p.write("main.cpp", "int main() { return 0; }\n")
        inner = p.write("in clude/inner.h", "inline void f() {}\n")
        p.write("in clude/outer.h", '#pragma once\n#  include "inner.h" // there\n')
        p.write("one.cpp", "#include <outer.h>\nint one() { return 1; }\n")
        p.configure()
        p.make()
        self.assertNotIn("without annotation", p.make())
        self.assertEqual(p.rewrites(), [])
        inner.write_text(LOOP.format("f", "").split("\n", 1)[1].replace("void", "inline void"))
        self.assertIn("build again", p.make())
        p.make()
        self.assertEqual(p.rewrites(), ["one.cpp"])

    def test_a_header_only_library_with_the_real_tool(self):
        if not options.real_tool:
            self.skipTest("the tool is not built")
        p = self.project("""
add_library(lines INTERFACE)
target_include_directories(lines INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/lib>)
target_compile_features(lines INTERFACE cxx_std_17)
add_executable(app main.cpp one.cpp two.cpp)
target_link_libraries(app PRIVATE lines)
target_compile_options(app PRIVATE -Wall -Wextra -Werror)
autokernel_add_sources(app)
""")
        header = p.write("lib/lines/axpy.h", """#pragma once
#include "detail.h"
template <class T> void axpy(int n, T a, const T *x, T *y) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
}
inline void scale(int n, float *x) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    x[i] *= factor;
}
""")
        p.write("lib/lines/detail.h", "#pragma once\nconstexpr float factor = 2;\n")
        p.write("lib/lines.h", "#ifndef LINES\n#define LINES\n#include \"lines/axpy.h\"\n#endif\n")
        p.write("one.cpp", "#include <lines.h>\nvoid one(int n, float a, const float *x, float *y);\n"
                "void one(int n, float a, const float *x, float *y) { axpy(n, a, x, y); scale(n, y); }\n")
        p.write("two.cpp", "#include \"lines/axpy.h\"\n#include <lines.h>\n"
                "void two(int n, float a, const float *x, float *y);\n"
                "void two(int n, float a, const float *x, float *y) {\n"
                "  double b[100], c[100];\n"
                "  for (int i = 0; i < n; ++i) { b[i] = x[i]; c[i] = y[i]; }\n"
                "  axpy<double>(n, a, b, c);\n"
                "  for (int i = 0; i < n; ++i) y[i] = float(c[i]);\n"
                "  scale(n, y);\n}\n")
        p.write("main.cpp", main_source("one", "two"))
        self.assertIn("app: 2 annotated", p.configure(tool=options.real_tool))
        p.make()
        self.assertEqual(sorted(f.name for f in (p.source / "autokernel").glob("*.cu")),
                         ["axpy_double.cu", "axpy_float.cu", "scale.cu"])
        p.expect(self, p.build / "app", "20")
        p.expect_dispatch(self, p.build / "app")
        self.assertNotRegex(p.make(), "Building|autokernel (one|two)")

        header.write_text(header.read_text() + "// changed\n")
        text = p.make()
        for part in ("autokernel one.cpp", "autokernel two.cpp", "CXX object"):
            self.assertIn(part, text)
        self.assertNotIn("Building CUDA", text)
        self.assertNotRegex(p.make(), "Building|autokernel (one|two)")

        # What is compiled changes in the same build, kernels too.
        header.write_text(header.read_text().replace("*= factor", "*= factor + 1"))
        p.make()
        p.expect(self, p.build / "app", "42")
        self.assertNotRegex(p.make(), "Building|autokernel (one|two)")

        header.write_text(header.read_text().replace("+ 1", "+ 2"))
        p.configure("-DAUTOKERNEL_FROZEN=ON", tool=options.real_tool)
        text = p.make(ok=False)
        self.assertRegex(text, r"lib/lines/axpy.h:\d+ +scale +stale")
        self.assertNotRegex(text, "axpy_(float|double) +stale")

    def test_targets_for_people(self):
        p = self.project("add_executable(app main.cpp one.cpp)\n"
                         "autokernel_add_sources(app GENERATOR openai MODEL m ALLOW cub)")
        p.write("main.cpp", main_source("one"))
        p.loop("one")
        p.configure()
        for target, command in (("autokernel-check", "check"), ("autokernel-report", "report"),
                                ("app.autokernel-update", "generate")):
            p.make("--target", target)
            line = p.log.read_text()
            p.log.unlink()
            self.assertTrue(line.startswith(command + " -p "), line)
            for part in ("--generator=openai", "--model=m", "--allow=cub", "one.cpp"):
                self.assertIn(part, line)

    def test_the_installed_package(self):
        prefix = tempfile.mkdtemp(prefix="autokernel prefix ")
        self.addCleanup(shutil.rmtree, prefix)
        subprocess.run([options.cmake, "--install", options.build, "--prefix", prefix],
                       check=True, stdout=subprocess.DEVNULL)
        package = next(Path(prefix).rglob("autokernelConfig.cmake")).parent
        p = self.project("add_executable(app main.cpp one.cpp macros.c)\n"
                         "autokernel_add_sources(app SOURCES one.cpp)\n"
                         "target_link_libraries(app PRIVATE autokernel::annotations)\n"
                         "target_compile_options(app PRIVATE -Wall -Wextra -Werror -pedantic)",
                         languages="C CXX", package=package)
        p.write("main.cpp", main_source("one"))
        p.write("macros.c", """#include <autokernel/autokernel.h>
void macros(int n, float *x);
void macros(int n, float *x) {
  AUTOKERNEL("macros", x[n]) AUTOKERNEL_TOLERANCE(1e-5) AUTOKERNEL_ASSUME(n > 0)
  for (int i = 0; i < n; ++i) x[i] = 1;
  AUTOKERNEL() AUTOKERNEL_INDEPENDENT AUTOKERNEL_EXACT
  for (int i = 0; i < n; ++i) x[i] = 1;
}
""")
        p.loop("one")
        p.configure()
        p.make()
        p.expect_dispatch(self, p.build / "app")

    def test_added_as_a_subdirectory(self):
        p = self.project("")
        root = Path(__file__).resolve().parents[2]
        p.write("CMakeLists.txt", f"""cmake_minimum_required(VERSION 3.25)
project(ds LANGUAGES CXX)
set(AUTOKERNEL_BUILD_TOOL OFF)
set(AUTOKERNEL_BUILD_TESTS OFF)
add_subdirectory("{root}" autokernel)
add_executable(app main.cpp one.cpp)
autokernel_add_sources(app ARCHITECTURES 80)
""")
        p.write("main.cpp", main_source("one"))
        p.loop("one")
        p.configure()
        p.make()
        p.expect_dispatch(self, p.build / "app")


def main():
    parser = argparse.ArgumentParser()
    for name in ("--build", "--tool", "--cmake"):
        parser.add_argument(name, required=True)
    parser.add_argument("--real-tool")
    _, rest = parser.parse_known_args(namespace=options)
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


if __name__ == "__main__":
    main()
