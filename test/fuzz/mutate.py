#!/usr/bin/env python3
"""Damaged annotated sources through `autokernel scan`.

Truncates, deletes, doubles and swaps tokens of the annotated sources of test/
and examples/. A finding is a signal, a hang, an undocumented exit code, or an
exit code of 2 without a message.

Usage: mutate.py TOOL [--count N] [--seed S]
"""

import argparse
import glob
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def sources():
    found = []
    for pattern in ("test/**/*.cpp", "test/**/*.c", "examples/**/*.cpp"):
        for path in sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True)):
            with open(path, encoding="utf-8") as f:
                text = f.read()
            if "[[autokernel" in text and "gtest" not in text:
                found.append((path, text))
    return found


def damaged(rng, text):
    tokens = re.findall(r"\s+|\w+|.", text)
    for _ in range(rng.randint(1, 4)):
        at, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        how = rng.randrange(5)
        if how == 0:
            del tokens[at:]
        elif how == 1:
            del tokens[at]
        elif how == 2:
            tokens.insert(at, tokens[other])
        elif how == 3:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        else:
            tokens[at] = rng.choice(["{", "}", "(", "[[", "]]", ";", "<", "0", "\x01"])
        if not tokens:
            return "\n"
    return "".join(tokens)


def problem_of(tool, path):
    standard = "-std=c2x" if path.endswith(".c") else "-std=c++20"
    try:
        done = subprocess.run([tool, "scan", path, "--", standard],
                              capture_output=True, timeout=20)
    except subprocess.TimeoutExpired:
        return "hangs"
    if done.returncode not in (0, 1, 2):
        return f"exit code {done.returncode}: {done.stderr[-500:]}"
    if done.returncode == 2 and not done.stderr:
        return "fails without a message"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, files, findings = random.Random(options.seed), sources(), 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.count):
            origin, text = rng.choice(files)
            path = os.path.join(folder, "mutant" + os.path.splitext(origin)[1])
            mutant = damaged(rng, text)
            with open(path, "w", encoding="utf-8") as f:
                f.write(mutant)
            problem = problem_of(options.tool, path)
            if problem:
                findings += 1
                print(f"--- mutant {number} of {os.path.relpath(origin, ROOT)}: {problem}\n{mutant}")
    print(f"{options.count} mutants of {len(files)} sources, {findings} findings")
    return 1 if findings or not files else 0


if __name__ == "__main__":
    sys.exit(main())
