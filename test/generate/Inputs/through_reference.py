#!/usr/bin/env python3
"""Runs each region of a source twice: as the loop, and as its reference with
the arguments that the rewritten call site passes. Both must do the same.

Kernels are verified against the reference, so nothing else notices a reference
that is not what the loop is. usage: TOOL STORE SOURCE MAIN FOLDER FLAGS..."""
import pathlib
import re
import subprocess
import sys

tool, store, source, main, folder = sys.argv[1:6]
flags = sys.argv[6:]
out = pathlib.Path(folder).resolve()
out.mkdir(parents=True, exist_ok=True)
compiler = "clang" if source.endswith(".c") else "clang++"


def run(*command):
    if subprocess.run([str(c) for c in command]).returncode:
        sys.exit("failed: " + " ".join(str(c) for c in command))


rewritten, header = out / ("rewritten" + pathlib.Path(source).suffix), out / "dispatch.h"
run(tool, "rewrite", "--quiet", "--without-nvcc", f"--kernel-dir={store}",
    f"--output-source={rewritten}", f"--output-header={header}",
    f"--output-cuda={out / 'kernels.cu'}", source, "--", *flags)

stub = ['extern "C" {', "int use_references, calls;"]
objects = []
for name, params in re.findall(r"^int (\w+)\((.*)\);$", header.read_text(), re.M):
    region = re.fullmatch(r"autokernel_dispatch_(\w+)_[0-9a-f]{12}", name).group(1)
    reference = next(pathlib.Path(store).glob(f"{region}.reference.*"))
    objects.append(out / f"{region}.o")
    run(compiler, "-w", *flags, f"-Dautokernel_reference=reference_{region}",
        "-c", reference, "-o", objects[-1])
    passed = ", ".join(re.findall(r"\bp\d+\b", params))
    stub += [f"void reference_{region}({params});",
             f"int {name}({params}) {{ if (!use_references) return 0; ++calls; "
             f"reference_{region}({passed}); return 1; }}",
             f"void {name.replace('_dispatch_', '_compare_', 1)}(void) {{}}"]
(out / "stub.cpp").write_text("\n".join(stub + ["}"]) + "\n")
run("clang++", "-w", "-c", out / "stub.cpp", "-o", out / "stub.o")
run(compiler, "-w", *flags, f'-DREWRITTEN="{rewritten}"', "-c", main, "-o", out / "main.o")
run("clang++", out / "main.o", out / "stub.o", *objects, "-lm", "-o", out / "program")
run(out / "program")
