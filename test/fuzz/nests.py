#!/usr/bin/env python3
"""Random loop nests through scan, model, template generator and emulator.

Each program is drawn from a grammar of nests, strides, subscripts, reductions,
branches and private scalars, and is both printed as C++ and run here, step by
step, with a record of what each iteration touches. A finding is

  - a crash, a hang or an undocumented exit code of the tool,
  - a kernel of the template generator that does not verify,
  - a loop whose order is said to be proved while two of its iterations touch
    one element and one of them writes.

Usage: nests.py TOOL [--count N] [--seed S] [--keep DIR] [--batch N]
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

SIZES = [(5, 4), (7, 6), (4, 7), (1, 3), (6, 1), (9, 3), (3, 9)]  # n, m of the runs here


class Draw:
    """One program: a function with an annotated region."""

    def __init__(self, rng, number):
        self.rng = rng
        self.name = f"p{number}"
        self.kind = rng.choice(["double", "float", "int", "long long"])
        self.arrays = ["a", "b", "c"][: rng.randint(1, 3)]
        self.rank2 = rng.random() < 0.3  # C arrays instead of pointers
        self.loops = 0  # numbered as the tool numbers them
        self.scalars = 0
        self.sums = rng.random() < 0.25
        self.usesSum = False
        self.body = self.region()

    # --- the grammar: every piece is a tuple that is printed and run ---

    def region(self):
        if self.rng.random() < 0.2:
            parts = [self.nest([], self.rng.randint(1, 2)) for _ in range(2)]
            return ("block", parts)
        return self.nest([], self.rng.choice([1, 2, 2, 2, 3]))

    def nest(self, counters, depth):
        rng = self.rng
        number = self.loops
        self.loops += 1
        counter = "ijkl"[len(counters)]
        low, high, step = rng.choice(["0", "0", "0", "1"]), "n", 1
        down = rng.random() < 0.15
        if len(counters) % 2 == 1:
            high = "m"
        shape = rng.random()
        if counters and shape < 0.2:
            low = counters[-1]
        elif counters and shape < 0.3:
            high = counters[-1]
        elif shape < 0.4:
            high += " - 1"
        elif shape < 0.5:
            step = rng.choice([2, 3])
        around = counters + [counter]
        if depth > 1:
            body = []
            if rng.random() < 0.2:
                body += [self.statement(around)]
            body += [self.nest(around, depth - 1)]
            if rng.random() < 0.2:
                body += [self.statement(around)]
            if rng.random() < 0.15:
                body += [self.nest(around, 1)]
        else:
            body = [self.statement(around) for _ in range(rng.randint(1, 3))]
        return ("for", number, counter, low, high, step, down, body)

    def statement(self, around):
        rng, roll = self.rng, self.rng.random()
        if roll < 0.5:
            return ("set", self.element(around, True), self.value(around))
        if roll < 0.68:
            op = rng.choice(["+", "+", "+", "*"]) if self.kind != "float" else "+"
            return ("update", self.element(around, True), op, self.value(around, 1))
        if roll < 0.78:
            self.scalars += 1
            name = f"t{self.scalars}"
            use = ("set", self.element(around, True), f"{name} + 1")
            return ("local", name, self.value(around), use)
        if roll < 0.9:
            other = self.statement(around) if rng.random() < 0.3 else None
            return ("if", self.condition(around), self.statement(around), other)
        if self.sums:
            self.usesSum = True
            return ("sum", self.value(around, 1))
        return ("set", self.element(around, True), self.value(around))

    def condition(self, around):
        c = self.rng.choice(around)
        if self.rng.random() < 0.5:
            return f"{c} {self.rng.choice(['<', '>', '>='])} {self.rng.choice(['2', 'm', 'n - 2'])}"
        return f"{c} % 2 == 0"

    def subscript(self, around):
        rng = self.rng
        c = rng.choice(around)
        form = rng.random()
        if form < 0.5:
            return c
        if form < 0.75:
            return f"{c} + {rng.choice(['1', '2', 'm'])}"
        if form < 0.82:
            return f"2 * {c}"
        if form < 0.9:
            return f"n + 3 - {c}"
        return rng.choice(["0", "1", f"{c} / 2", f"{c} % 3"])

    def element(self, around, write=False):
        rng = self.rng
        array = rng.choice(self.arrays)
        if self.rank2:
            pair = [self.subscript(around), self.subscript(around)]
            return (array, pair)
        if len(around) > 1 and rng.random() < 0.65:
            x, y = around[-2:] if rng.random() < 0.8 else around[-2:][::-1]
            shift = rng.choice(["", "", "", " + 1", " + m"])
            index = f"{x} * {rng.choice(['m', 'm', 'n', '(m + 2)'])} + {y}{shift}"
        else:
            index = self.subscript(around)
        return (array, [index])

    def value(self, around, depth=2):
        rng, roll = self.rng, self.rng.random()
        if depth == 0 or roll < 0.35:
            return self.element(around)
        if roll < 0.5:
            return rng.choice(["1", "2", rng.choice(around)])
        op = rng.choice(["+", "+", "-"])
        return (op, self.value(around, depth - 1), self.value(around, depth - 1))

    # --- as C++ ---

    def text(self):
        if self.rank2:
            parameters = ", ".join(f"{self.kind} {a}[40][40]" for a in self.arrays)
        else:
            parameters = ", ".join(f"{self.kind} *{a}" for a in self.arrays)
        lines = [f"{self.kind} {self.name}(int n, int m, {parameters}) {{"]
        lines += [f"  {self.kind} sum = 0;", "  [[autokernel]]"]
        lines += self.code(self.body, "  ")
        return "\n".join(lines + ["  return sum;", "}", ""])

    def code(self, s, pad):
        kind = s[0]
        if kind == "block":
            inner = [line for part in s[1] for line in self.code(part, pad + "  ")]
            return [pad + "{"] + inner + [pad + "}"]
        if kind == "for":
            _, _, c, low, high, step, down, body = s
            head = f"for (int {c} = {low}; {c} < {high}; {c} += {step}) {{"
            if down:
                head = f"for (int {c} = {high} - 1; {c} >= {low}; {c} -= {step}) {{"
            inner = [line for part in body for line in self.code(part, pad + "  ")]
            return [pad + head] + inner + [pad + "}"]
        if kind == "set":
            return [f"{pad}{self.expr(s[1])} = {self.expr(s[2])};"]
        if kind == "update":
            return [f"{pad}{self.expr(s[1])} {s[2]}= {self.expr(s[3])};"]
        if kind == "sum":
            return [f"{pad}sum += {self.expr(s[1])};"]
        if kind == "local":
            use = self.code(s[3], pad + "  ")
            return [f"{pad}{{", f"{pad}  {self.kind} {s[1]} = {self.expr(s[2])};"] + use + [pad + "}"]
        lines = [f"{pad}if ({s[1]}) {{"] + self.code(s[2], pad + "  ")
        if s[3]:
            lines += [pad + "} else {"] + self.code(s[3], pad + "  ")
        return lines + [pad + "}"]

    def expr(self, e):
        if isinstance(e, str):
            return e
        if len(e) == 2:
            return e[0] + "".join(f"[{i}]" for i in e[1])
        return f"({self.expr(e[1])} {e[0]} {self.expr(e[2])})"

    # --- run here ---

    def touches(self, n, m):
        """(path of (loop, iteration), array, subscripts, 'r' 'w' or the operator)"""
        self.trace, self.names = [], {"n": n, "m": m}
        self.run(self.body, ())
        return self.trace

    def at(self, text):
        return int(eval(text.replace("/", "//"), {}, self.names))

    def note(self, path, e, how):
        self.trace.append((path, e[0], tuple(self.at(i) for i in e[1]), how))

    def read(self, path, e):
        if isinstance(e, str):
            return
        if len(e) == 2:
            self.note(path, e, "r")
        else:
            self.read(path, e[1])
            self.read(path, e[2])

    def run(self, s, path):
        kind = s[0]
        if kind == "block":
            for part in s[1]:
                self.run(part, path)
        elif kind == "for":
            _, number, c, low, high, step, down, body = s
            first, last = self.at(low), self.at(high) - 1
            values = range(last, first - 1, -step) if down else range(first, last + 1, step)
            for v in values:
                self.names[c] = v
                for part in body:
                    self.run(part, path + ((number, v),))
            self.names.pop(c, None)
        elif kind == "set":
            self.read(path, s[2])
            self.note(path, s[1], "w")
        elif kind == "update":
            self.read(path, s[3])
            self.note(path, s[1], s[2])
        elif kind == "sum":
            self.read(path, s[1])
        elif kind == "local":
            self.read(path, s[2])
            self.run(s[3], path)
        elif self.at(f"1 if ({s[1]}) else 0"):
            self.run(s[2], path)
        elif s[3]:
            self.run(s[3], path)


def truncated(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


BINARY = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "/": truncated, "%": lambda a, b: a - b * truncated(a, b),
    "min": min, "max": max, "&": lambda a, b: a & b,
    "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b,
}


def computed(code, scalars, counters):
    """The value of a contract's postfix code."""
    stack = []
    for word in code.split():
        if word in BINARY:
            b, a = stack.pop(), stack.pop()
            stack.append(BINARY[word](a, b))
        elif word == "neg":
            stack.append(-stack.pop())
        elif word[0] == "n" and word[1:].isdigit():
            stack.append(scalars[int(word[1:])])
        elif word[0] == "i" and word[1:].isdigit():
            stack.append(counters[int(word[1:])])
        else:
            stack.append(int(word))
    return stack.pop()


def guards_hold(contract, n, m):
    """Whether the run-time checks let the kernel run at these sizes."""
    sizes = {"n": n, "m": m}
    scalars = [sizes.get(p["name"], 0) for p in contract["parameters"]]
    loops = contract["loops"]

    def holds(guard, path, counters):
        if not path:
            value = computed(guard["value"], scalars, counters)
            return 0 <= value < computed(guard["below"], scalars, counters)
        loop = loops[path[0]]
        first, last, step = (computed(loop[x]["code"], scalars, counters)
                             for x in ("first", "last", "step"))
        end = last + (1 if step > 0 else -1)
        return all(holds(guard, path[1:], {**counters, path[0]: v})
                   for v in range(first, end, step))

    return (all(holds(g, g["path"], {}) for g in contract["guards"]) and
            all(computed(a["code"], scalars, {}) >= 0 for a in contract["assumptions"]))


def conflict(trace, loop, atomics):
    """A pair of touches that keeps the loop's iterations in order, or None."""
    seen = {}
    for path, array, subscripts, how in trace:
        depth = next((d for d, (l, _) in enumerate(path) if l == loop), None)
        if depth is None:
            continue
        key = (path[:depth], array, subscripts)
        for iteration, other in seen.setdefault(key, []):
            if iteration == path[depth][1] or (how == "r" and other == "r"):
                continue
            if how == other and how in "+*" and array in atomics:
                continue
            return key, (iteration, other), (path[depth][1], how)
        seen[key].append((path[depth][1], how))
    return None


def examine(tool, programs, folder):
    """The findings of one source file: (program, what is wrong)."""
    source, store = os.path.join(folder, "nests.cpp"), os.path.join(folder, "k")
    with open(source, "w") as f:
        f.write("\n".join(p.text() for p in programs))
    command = [tool, "generate", "--without-nvcc", "--format=json",
               "--kernel-dir", store, source, "--", "-std=c++17"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60 * len(programs))
    except subprocess.TimeoutExpired:
        return [(p, "the tool hangs") for p in programs], 0
    if done.returncode not in (0, 1):
        return [(programs[0], f"exit code {done.returncode}: {done.stderr[-2000:]}")], 0
    regions = {r["id"]: r for r in json.loads(done.stdout)["regions"]}
    findings, verified = [], 0
    for p in programs:
        region = regions.get(p.name)
        if region is None:
            findings.append((p, "the region is missing from the report"))
            continue
        if region["verdict"] in ("mismatch", "rejected", "error"):
            findings.append((p, f"{region['verdict']}: {region['message']}"))
        if region["verdict"] != "verified":
            continue
        verified += 1
        with open(os.path.join(store, p.name + ".json")) as f:
            contract = json.load(f)["contract"]
        for n, m in SIZES:
            if not guards_hold(contract, n, m):
                continue
            trace = p.touches(n, m)
            for number, loop in enumerate(contract["loops"]):
                if loop["order"] == "sequential":
                    continue
                found = conflict(trace, number, loop["atomics"])
                if found:
                    findings.append((p, f"the loop over {loop['counter']} is said to be "
                                        f"parallel; n = {n}, m = {m}: {found}"))
    return findings, verified


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=20)
    parser.add_argument("--keep", help="folder for the programs of findings")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    total, verified = [], 0
    for start in range(0, options.count, options.batch):
        number = range(start, min(start + options.batch, options.count))
        programs = [Draw(rng, k) for k in number]
        with tempfile.TemporaryDirectory() as folder:
            findings, good = examine(options.tool, programs, folder)
        total += findings
        verified += good
        for p, what in findings:
            print(f"--- seed {options.seed}, {p.name}: {what}\n{p.text()}")
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                path = os.path.join(options.keep, f"{options.seed}-{p.name}.cpp")
                with open(path, "w") as f:
                    f.write("".join(f"// {line}\n" for line in what.splitlines()) + p.text())
    print(f"{options.count} programs, {verified} verified, {len(total)} findings")
    if verified * 10 < options.count:
        print("too few programs are taken: the grammar or the tool has changed")
        return 1
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
