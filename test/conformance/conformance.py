#!/usr/bin/env python3
"""Small kernels whose results are known, on the emulator and on a GPU.

    conformance.py run <runner>                all cases on the emulator
    conformance.py pack <folder> [nvcc]        a program a file for a GPU's machine
    conformance.py judge <lines of JSON>       what such programs printed

A case is a kernel `void name(unsigned *out)` over 1024 words that are zero:

    // CASE: name grid block [shared bytes] [cooperative]
    // EXPECT: a Python list of the first words; the rest stays zero
    // REPORT: kinds of reports one of which the emulator must make, instead
"""
import ast
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
WORDS = 1024


def f32(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def f64(x):
    return struct.unpack("<II", struct.pack("<d", x))


def s32(x):
    return x & 0xffffffff


@dataclass
class Case:
    file: str
    name: str
    grid: str
    block: str
    shared: str = "0"
    cooperative: bool = False
    words: list = None
    reports: list = field(default_factory=list)


def dimension(text):
    return f"dim3{text}" if text.startswith("(") else f"dim3({text})"


def read_cases(path):
    cases = []
    for line in path.read_text().splitlines():
        key, _, value = line.removeprefix("// ").partition(": ")
        if key == "CASE":
            name, grid, block, *more = value.split()
            cases.append(Case(path.stem, name, dimension(grid), dimension(block)))
            cases[-1].cooperative = "cooperative" in more
            cases[-1].shared = next((m for m in more if m.isdigit()), "0")
        elif key == "EXPECT":
            known = {"f32": f32, "f64": f64, "s32": s32}
            words = eval(compile(ast.parse(value, mode="eval"), str(path), "eval"), known)
            cases[-1].words = list(words) + [0] * (WORDS - len(words))
        elif key == "REPORT":
            cases[-1].reports = value.split()
    for c in cases:
        if (c.words is None) == (not c.reports):
            raise SystemExit(f"{path}: {c.name} needs one of EXPECT and REPORT")
    return cases


def launcher(n, c):
    if c.cooperative:
        call = (f"  void *args[] = {{&out}};\n  return cudaLaunchCooperativeKernel("
                f"(const void *){c.name}, {c.grid}, {c.block}, args, {c.shared}, 0);\n")
    else:
        call = (f"  {c.name}<<<{c.grid}, {c.block}, {c.shared}>>>(out);\n"
                "  return cudaGetLastError();\n")
    return f'extern "C" int run_{n}(unsigned *out) {{\n{call}}}\n'


def source(path, cases):
    return ("#include <cuda_runtime.h>\n" + path.read_text() + "\n" +
            "".join(launcher(n, c) for n, c in enumerate(cases)))


MAIN = """
#include <cstdio>
int main() {
  for (int n = 0; n < %d; ++n) {
    unsigned *out, words[1024];
    cudaMalloc(&out, sizeof words);
    cudaMemset(out, 0, sizeof words);
    int rc = runs[n](out);
    if (rc == 0) rc = cudaDeviceSynchronize();
    cudaMemcpy(words, out, sizeof words, cudaMemcpyDeviceToHost);
    printf("{\\"case\\": \\"%%s\\", \\"code\\": %%d, \\"words\\": [", names[n], rc);
    for (int i = 0; i < 1024; ++i) printf(i ? ",%%u" : "%%u", words[i]);
    printf("]}\\n");
    cudaFree(out);
  }
}
"""


def files():
    return [(p, read_cases(p)) for p in sorted(HERE.glob("*.cu"))]


def difference(c, words):
    for i, (got, want) in enumerate(zip(words, c.words)):
        if got != want:
            return f"word {i} is {got:#x}, expected {want:#x}"
    return ""


def emulator_problem(c, answer):
    kinds = [r["kind"] for r in answer["reports"]]
    if c.reports:
        if kinds and kinds[0] in c.reports:
            return ""
        return f"reports {kinds or 'nothing'}, expected {' or '.join(c.reports)}"
    if kinds or answer["code"]:
        return f"reports {answer['reports'][:1]}, code {answer['code']}"
    return difference(c, answer["words"])


def run(runner):
    counts = [0, 0]
    for path, cases in files():
        with tempfile.TemporaryDirectory() as work:
            text = pathlib.Path(work) / path.name
            text.write_text(source(path, cases))
            done = subprocess.run([runner, str(text), str(len(cases))],
                                  capture_output=True, text=True)
        if done.returncode:
            print(f"FAIL: {path.name}: exit code {done.returncode}\n{done.stderr}")
            counts[1] += len(cases)
            continue
        for c, line in zip(cases, done.stdout.splitlines(), strict=True):
            wrong = emulator_problem(c, json.loads(line))
            counts[bool(wrong)] += 1
            print(f"{'FAIL' if wrong else 'PASS'}: conformance :: {c.file}/{c.name}")
            if wrong:
                print(f"  {wrong}")
    print(f"\n  Passed: {counts[0]}\n  Failed: {counts[1]}")
    return 1 if counts[1] or not counts[0] else 0


def pack(folder, nvcc=None):
    """Cases that end in a report do so on the emulator only."""
    nvcc = nvcc or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    folder.mkdir(parents=True, exist_ok=True)
    for path, cases in files():
        good = [c for c in cases if not c.reports]
        text = source(path, good)
        text += "int (*runs[])(unsigned *) = {%s};\n" % ", ".join(
            f"run_{n}" for n in range(len(good)))
        text += "const char *names[] = {%s};\n" % ", ".join(
            f'"{c.file}/{c.name}"' for c in good)
        text += MAIN % len(good)
        with tempfile.TemporaryDirectory() as work:
            file = pathlib.Path(work) / path.name
            file.write_text(text)
            subprocess.run([nvcc, "-std=c++17", "-arch=sm_90", "-w", "-o",
                            str(folder / path.stem), str(file)], check=True)


def judge(lines):
    known = {f"{c.file}/{c.name}": c for _, cases in files() for c in cases}
    seen, failed = set(), 0
    for line in lines:
        entry = json.loads(line)
        answers = entry["result"] if "result" in entry else [entry]
        for answer in answers if isinstance(answers, list) else []:
            c = known[answer["case"]]
            seen.add(answer["case"])
            wrong = (f"CUDA error {answer['code']}" if answer["code"]
                     else difference(c, answer["words"]))
            failed += bool(wrong)
            if wrong:
                print(f"FAIL: {answer['case']}: {wrong}")
    missing = [n for n, c in known.items() if not c.reports and n not in seen]
    for name in missing:
        print(f"FAIL: {name}: no answer")
    print(f"conformance: {len(seen) - failed} equal, {failed} differ, "
          f"{len(missing)} missing")
    return 1 if failed or missing else 0


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("run", "pack", "judge"):
        raise SystemExit(__doc__)
    command, path = sys.argv[1], sys.argv[2]
    if command == "run":
        return run(path)
    if command == "pack":
        return pack(pathlib.Path(path), *sys.argv[3:4]) or 0
    return judge(pathlib.Path(path).read_text().splitlines())


if __name__ == "__main__":
    sys.exit(main())
