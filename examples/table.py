#!/usr/bin/env python3
"""What became of each annotated loop of some examples, as a table.

table.py --tool AUTOKERNEL --build FOLDER EXAMPLE...
FOLDER/EXAMPLE is the example's build folder. Asks `autokernel check` and reads
nothing but its JSON and the kernel store."""
import argparse
import json
import pathlib
import re
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
annotated = re.compile(r"\[\[\s*autokernel|\bAUTOKERNEL\s*\(")
columns = ["region", "place", "class", "generator", "verdict", "on", "kernel file"]


def short(path):
    """The path as a person in the repository's folder would write it."""
    path = pathlib.Path(path).absolute()
    return str(path.relative_to(here.parent)) if path.is_relative_to(here.parent) else str(path)


def sources(example):
    return [p for p in sorted(example.rglob("*"))
            if p.suffix in (".c", ".cc", ".cpp", ".cxx") and annotated.search(p.read_text(errors="replace"))]


def check(tool, example, build):
    """Regions of one example, as the tool reports them."""
    files = sources(example)
    if not files:
        return []
    command = [tool, "check", "--kernel-dir", str(example / "autokernel"), "--format=json",
               "-p", str(build), *map(str, files)]
    run = subprocess.run(command, capture_output=True, text=True)
    try:
        return json.loads(run.stdout)["regions"]
    except (ValueError, KeyError):
        sys.exit(f"{' '.join(command)}\nanswered no regions (exit code {run.returncode})\n{run.stderr}")


def row(example, region):
    store = example / "autokernel"
    kernel = store / f"{region['id']}.cu"
    refusal = region.get("refusal") or {}
    verdict = region.get("verdict") or ""
    if not verdict or region.get("state") == "refused":
        verdict = f"{region.get('state', '')} {refusal.get('id', '')}".strip()
    return [region["id"], f"{short(region['file'])}:{region['line']}", region.get("class", ""),
            region.get("generator", ""), verdict, region.get("where", ""),
            short(kernel) if kernel.exists() else ""]


def show(rows):
    width = [max(len(r[i]) for r in [columns, *rows]) for i in range(len(columns))]
    for r in [columns, ["-" * w for w in width], *rows]:
        print("  ".join(cell.ljust(w) for cell, w in zip(r, width)).rstrip())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("examples", nargs="*")
    options = parser.parse_args()
    rows = [row(here / name, region) for name in options.examples
            for region in check(options.tool, here / name, options.build / name)]
    if not rows:
        sys.exit("no annotated loop was found")
    show(rows)


main()
