#!/usr/bin/env python3
"""Judges every candidate of the corpora by the tool and compares with what the
candidates expect. Prints lit's words; writes or checks the table in the docs.

    run.py <autokernel> [cheats] [honest] [--filter RE] [--jobs N]
           [--table docs/verification.md] [--update]
"""
import argparse
import concurrent.futures
import pathlib
import re
import sys
import tempfile
import time

from corpus import problem, read_corpus, verify
from table import check_table, update_table


def judge_all(tool, candidates, jobs):
    results = {}
    with tempfile.TemporaryDirectory() as work, \
            concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(verify, tool, c, work): c for c in candidates}
        for n, f in enumerate(concurrent.futures.as_completed(futures), 1):
            c, result = futures[f], f.result()
            results[c.path] = result
            wrong = problem(c, result)
            print(f"{'FAIL' if wrong else 'PASS'}: {c.corpus} :: {c.name} "
                  f"({n} of {len(candidates)})", flush=True)
            if wrong:
                print(f"  {wrong}")
    return results


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("tool")
    options.add_argument("corpora", nargs="*", default=["cheats", "honest"])
    options.add_argument("--filter", default="")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--table", type=pathlib.Path)
    options.add_argument("--update", action="store_true")
    o = options.parse_args()
    candidates = [c for name in o.corpora for c in read_corpus(name)
                  if re.search(o.filter, f"{name}/{c.name}")]
    start = time.monotonic()
    results = judge_all(o.tool, candidates, o.jobs)
    failed = sum(bool(problem(c, results[c.path])) for c in candidates)
    print(f"\nTesting Time: {time.monotonic() - start:.1f}s\n"
          f"  Passed: {len(candidates) - failed}\n  Failed: {failed}")
    if failed or not candidates:
        return 1
    if o.table and o.update:
        update_table(o.table, candidates, results)
    elif o.table:
        return check_table(o.table, candidates, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
