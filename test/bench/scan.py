#!/usr/bin/env python3
"""How much a scan costs beside Clang's own syntax check of the same file.

scan.py AUTOKERNEL CLANG SOURCE [-- FLAG...]: paired runs, one of each in turn;
prints the medians and their ratio. The target is a ratio of at most 1.5.
"""
import statistics
import subprocess
import sys
import time

PAIRS = 21


def seconds(command):
    start = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def main():
    tool, clang, source = sys.argv[1:4]
    flags = sys.argv[5:]
    scan = [tool, "scan", source, "--", *flags]
    check = [clang, "-fsyntax-only", "-w", *flags, source]
    for command in (scan, check):
        seconds(command)
    pairs = [(seconds(scan), seconds(check)) for _ in range(PAIRS)]
    s = statistics.median(p[0] for p in pairs)
    c = statistics.median(p[1] for p in pairs)
    r = statistics.median(p[0] / p[1] for p in pairs)
    print(f"scan {s * 1e3:.0f} ms, clang -fsyntax-only {c * 1e3:.0f} ms, ratio {r:.2f}")
    return 0 if r <= 1.5 else 1


if __name__ == "__main__":
    sys.exit(main())
