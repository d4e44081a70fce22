#!/usr/bin/env python3
"""Mutates the honest kernels: how many wrong variants does the verifier kill?

    mutate.py <autokernel> [--filter RE] [--mutants N] [--jobs N]
              [--save FOLDER] [--table docs/verification.md]

Survivors that mean the same as the kernel are listed, with the reason, in
equivalent.txt: a line `<kernel>:<line>:<column> <reason>` each. Any other
survivor fails the run. --save keeps each kernel's result and takes it from
there the next time.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
from collections import Counter

from corpus import read_corpus, region_file
from table import grid, put_section

HERE = pathlib.Path(__file__).resolve().parent
SECTION = "mutation"


def equivalents():
    known = {}
    for line in (HERE / "equivalent.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            place, _, reason = line.partition(" ")
            known[place] = reason
    return known


def mutate(o, candidate):
    saved = o.save and o.save / (candidate.name.replace("/", ".") + ".json")
    if saved and saved.exists():
        return json.loads(saved.read_text())
    command = [o.tool, "verify", "--mutate", "--format=json", f"--mutants={o.mutants}",
               "--candidate", str(candidate.path), "--region", candidate.region,
               str(region_file(candidate.region)), "--", "-std=c++17"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{candidate.name}: {done.stderr}")
    if saved:
        saved.parent.mkdir(parents=True, exist_ok=True)
        saved.write_text(done.stdout)
    return json.loads(done.stdout)


def mutants_of(candidate, result):
    for kernel in result["kernels"]:
        for m in kernel["mutants"]:
            yield f"{candidate.name}:{m['line']}:{m['column']}", m


class Tally:
    def __init__(self):
        self.kinds = {}
        self.unexplained = []
        self.explained = []

    def add(self, place, m, known):
        fate = m["fate"]
        if fate == "survived":
            fate = "equivalent" if place in known else "survived"
            (self.explained if place in known else self.unexplained).append((place, m))
        self.kinds.setdefault(m["kind"], Counter())[fate] += 1

    def total(self, fate):
        return sum(c[fate] for c in self.kinds.values())

    def score(self):
        counted = self.total("killed") + self.total("survived")
        return 100 * self.total("killed") / counted if counted else 0


def row_of(kind, c):
    return (kind, c["killed"], c["survived"], c["equivalent"], c["invalid"])


def changed(m):
    return f"`{m['before']}` to `{m['after']}`".replace("\n", " ")


def section(tally, known):
    rows = [row_of(k, c) for k, c in sorted(tally.kinds.items())]
    rows.append(row_of("all", Counter({f: tally.total(f) for f in (
        "killed", "survived", "equivalent", "invalid")})))
    parts = [grid(("mutation", "killed", "survived", "equivalent", "don't compile"), rows),
             [f"Score: {tally.score():.1f} %."]]
    if tally.unexplained:
        parts.append(grid(("survivor", "change"), [
            (place, changed(m)) for place, m in sorted(tally.unexplained, key=str)]))
    if tally.explained:
        parts.append(grid(("equivalent", "change", "why"), [
            (place, changed(m), known[place])
            for place, m in sorted(tally.explained, key=str)]))
    return "\n\n".join("\n".join(p) for p in parts)


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("tool")
    options.add_argument("--filter", default="")
    options.add_argument("--mutants", type=int, default=0)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--save", type=pathlib.Path)
    options.add_argument("--table", type=pathlib.Path)
    o = options.parse_args()
    chosen = [c for c in read_corpus("honest") if re.search(o.filter, c.name)]
    known, tally = equivalents(), Tally()
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for c, result in zip(chosen, pool.map(lambda c: mutate(o, c), chosen)):
            print(f"{c.name}: {result['killed']} killed, "
                  f"{result['survived']} survived", flush=True)
            for place, m in mutants_of(c, result):
                tally.add(place, m, known)
    for place, m in tally.unexplained:
        print(f"SURVIVED: {place}: {m['kind']}: '{m['before']}' became '{m['after']}'")
    print(f"{tally.total('killed')} killed, {tally.total('survived')} survived, "
          f"{tally.total('equivalent')} equivalent: score {tally.score():.1f} %")
    if o.table:
        put_section(o.table, SECTION, section(tally, known))
    return 1 if tally.unexplained or not tally.kinds else 0


if __name__ == "__main__":
    sys.exit(main())
