"""A small project in a folder of its own that uses the package.

`options` holds the places of the build, of CMake and of the fake tool.
"""
import argparse
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

options = argparse.Namespace()

HEADER = "void {0}(int n, float a, const float *x, float *y);\n"
LOOP = """#include "{0}.h"
{1}
void {0}(int n, float a, const float *x, float *y) {{
  [[autokernel]] for (int i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
}}
"""
MAIN = """#include <stdio.h>
#ifdef __cplusplus
{declare_c}
#endif
{declare}
int main() {{
  float x[100], y[100];
  for (int i = 0; i < 100; ++i) {{ x[i] = 1; y[i] = 2; }}
  {calls}
  printf("%g\\n", y[99]);
  return 0;
}}
"""


def main_source(*names, c=()):
    call = "{0}(100, 2, x, y); "
    return MAIN.format(
        declare="".join(HEADER.format(n) for n in names),
        declare_c="".join('extern "C" ' + HEADER.format(n) for n in c),
        calls="".join(call.format(n) for n in (*names, *c)))


class Project:
    def __init__(self, text, generator="Ninja", languages="CXX", package=None,
                 prefix="autokernel ds ", architectures="set(CMAKE_CUDA_ARCHITECTURES 80)"):
        self.base = Path(tempfile.mkdtemp(prefix=prefix))
        self.source, self.build = self.base / "my source", self.base / "build"
        self.source.mkdir()
        self.log = self.base / "log"
        self.generator = generator
        self.package = package or Path(options.build)
        self.write("CMakeLists.txt", f"""cmake_minimum_required(VERSION 3.25)
project(ds LANGUAGES {languages})
{architectures}
find_package(autokernel CONFIG REQUIRED)
{text}
""")

    def remove(self):
        shutil.rmtree(self.base)

    def write(self, name, text):
        path = self.source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def loop(self, name, extra="", extension="cpp", folder="."):
        self.write(f"{folder}/{name}.h", HEADER.format(name))
        return self.write(f"{folder}/{name}.{extension}", LOOP.format(name, extra))

    def run(self, *command, ok=True, env=None):
        environment = dict(os.environ, FAKE_LOG=str(self.log), **(env or {}))
        if shutil.which("ccache"):
            for language in ("C", "CXX", "CUDA"):
                environment[f"CMAKE_{language}_COMPILER_LAUNCHER"] = "ccache"
        done = subprocess.run([str(c) for c in command], env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if ok and done.returncode:
            raise AssertionError(f"{command} failed:\n{done.stdout}")
        if ok is False and done.returncode == 0:
            raise AssertionError(f"{command} should have failed:\n{done.stdout}")
        return done.stdout

    def configure(self, *more, ok=True, env=None, tool=None):
        return self.run(options.cmake, "-S", self.source, "-B", self.build, "-G", self.generator,
                        f"-Dautokernel_DIR={self.package}",
                        f"-DAUTOKERNEL_TOOL={tool or options.tool}", *more, ok=ok, env=env)

    def make(self, *more, ok=True):
        return self.run(options.cmake, "--build", self.build, "-j4", *more, ok=ok)

    def rewrites(self):
        """Sources that the tool has been started for since the last question."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return sorted(Path(l.split("/")[-1]).name for l in lines if l.startswith("rewrite"))

    def expect(self, case, program, output):
        case.assertEqual(self.run(program).strip(), output)

    def expect_dispatch(self, case, program):
        text = self.run(program, ok=None, env={"AUTOKERNEL": "force"})
        case.assertRegex(text, "no usable device|^[0-9]")
        case.assertTrue("no usable device" in text or Path("/dev/nvidiactl").exists(), text)
