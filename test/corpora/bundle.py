#!/usr/bin/env python3
"""Packs the corpora for a machine with a GPU, and reads what it answered.

    bundle.py pack <autokernel> <folder> [cheats] [honest] [--filter RE] [--jobs N]
        One program a kernel and one a file of test/conformance (`autokernel bundle`), all in <folder>/programs.tar.xz;
        <folder>/run.sh runs them there and prints a line of JSON a kernel.
        Kernels that break a rule are never packed.
    bundle.py judge <lines of JSON>
        Honest kernels must be verified there too. Of the others it says which
        only the emulator sees: races, unset memory, and the like.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

from corpus import TESTS, read_corpus, region_file

CONFORMANCE = str(TESTS / "conformance" / "conformance.py")

RUN = """#!/bin/sh
# Runs every program beside it on this machine's GPU, several at a time, each
# for at most 90 seconds; prints a line of JSON a kernel.
#   run.sh [processes at a time]
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -xJf "$here/programs.tar.xz" -C "$work" 2>/dev/null ||
  python3 -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2])' \\
    "$here/programs.tar.xz" "$work" || exit 2
cat > "$work/one" <<'ONE'
name=${1#./}
timeout -s KILL 90 "./$name" "$name.json" > "$name.out" 2> "$name.log" < /dev/null
code=$?
if test -s "$name.json"; then result=$(tr -d '\\n' < "$name.json"); else
  result=null
fi
if test -s "$name.out"; then result="[$(paste -sd, "$name.out")]"; fi
printf '{"kernel": "%s", "exit": %d, "result": %s}\\n' "$name" "$code" "$result"
ONE
cd "$work" && find . -type f -perm -u+x | sort | xargs -P "${1:-8}" -n 1 sh ./one
"""


def pack_one(tool, candidate, folder):
    place = folder / candidate.corpus / candidate.region
    return subprocess.run(
        [tool, "bundle", "--candidate", str(candidate.path), "--region",
         candidate.region, "--architectures=90", "--output", str(place),
         str(region_file(candidate.region)), "--", "-std=c++17"],
        capture_output=True, text=True)


def pack_all(tool, chosen, programs, jobs):
    failed = packed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        done = pool.map(lambda c: pack_one(tool, c, programs), chosen)
        for c, d in zip(chosen, done):
            packed += d.returncode == 0
            if d.returncode != (1 if c.verdict == "rejected" else 0):
                failed += 1
                print(f"{c.corpus}/{c.name}: exit code {d.returncode}\n"
                      f"{d.stdout}{d.stderr}", flush=True)
    return packed, failed


def archive(programs, path):
    with tarfile.open(path, "w:xz", preset=6) as tar:
        for p in sorted(programs.rglob("*")):
            if p.is_file():
                tar.add(p, str(p.relative_to(programs)))


def pack(o):
    o.folder.mkdir(parents=True, exist_ok=True)
    chosen = [c for name in o.corpora for c in read_corpus(name)
              if re.search(o.filter, f"{name}/{c.name}")]
    with tempfile.TemporaryDirectory() as work:
        programs = pathlib.Path(work)
        packed, failed = pack_all(o.tool, chosen, programs, o.jobs)
        if not o.filter:
            subprocess.run([sys.executable, CONFORMANCE, "pack",
                            str(programs / "conformance")], check=True)
        archive(programs, o.folder / "programs.tar.xz")
    (o.folder / "run.sh").write_text(RUN)
    (o.folder / "run.sh").chmod(0o755)
    size = (o.folder / "programs.tar.xz").stat().st_size / 2**20
    print(f"{packed} programs of the corpora, {size:.1f} MiB")
    return 1 if failed else 0


def judge(o):
    known = {f"{c.corpus}/{c.region}/{c.path.stem}": c
             for name in ("cheats", "honest") for c in read_corpus(name)}
    wrong, unseen, counts = 0, [], {}
    for line in o.results.read_text().splitlines():
        entry = json.loads(line)
        c = known.get(entry["kernel"])
        if not c:
            continue
        evidence = (entry["result"] or {}).get("evidence", {})
        verdict = evidence.get("verdict", f"no evidence, exit {entry['exit']}")
        counts[c.corpus, verdict] = counts.get((c.corpus, verdict), 0) + 1
        if c.corpus == "honest" and verdict != "verified":
            wrong += 1
            print(f"{entry['kernel']}: {verdict} "
                  f"{evidence.get('failure', {}).get('message', '')}")
        if c.corpus == "cheats" and verdict == "verified":
            unseen.append((c.gate or c.pending, c.name, c.title))
    for (corpus, verdict), n in sorted(counts.items()):
        print(f"{corpus}: {n} {verdict}")
    print("\nVerified on the GPU, rejected by the emulator's gate:")
    for gate, name, title in sorted(unseen):
        print(f"  {gate}: {name}: {title}")
    conforms = subprocess.run([sys.executable, CONFORMANCE, "judge", str(o.results)])
    return 1 if wrong or conforms.returncode else 0


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = options.add_subparsers(dest="command", required=True)
    p = commands.add_parser("pack")
    p.add_argument("tool")
    p.add_argument("folder", type=pathlib.Path)
    p.add_argument("corpora", nargs="*", default=["cheats", "honest"])
    p.add_argument("--filter", default="")
    p.add_argument("--jobs", type=int, default=2)
    j = commands.add_parser("judge")
    j.add_argument("results", type=pathlib.Path)
    o = options.parse_args()
    return pack(o) if o.command == "pack" else judge(o)


if __name__ == "__main__":
    sys.exit(main())
