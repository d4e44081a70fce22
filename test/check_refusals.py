#!/usr/bin/env python3
"""Every refusal of tool/model/Refusals.def has a lit test and a section of
docs/refusals.md, and neither speaks of an id that isn't in the registry.

A test counts where a RUN line gives the tool's output to FileCheck with the prefix of
the line that names the id: then it fails unless the tool prints it."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
suites = ["scan", "model", "generate", "verify", "store", "cheats"]  # run everywhere


def registry():
    text = (root / "tool/model/Refusals.def").read_text()
    return re.findall(r'^REFUSAL\("([^"]+)",\s*"[^"]*",\s*"([^"]+)"\)', text, re.M)


def checked_prefixes(text):
    """FileCheck's prefixes that the RUN lines of a test really use on the tool."""
    runs = re.findall(r"RUN: (.*)", text)
    if not any("%autokernel" in run for run in runs):
        return set()
    prefixes = set()
    for command in (c for run in runs for c in run.split("|") if re.match(r"\s*FileCheck\b", c)):
        named = re.findall(r"--check-prefix(?:es)?[= ](\S+)", command)
        prefixes.update(p for names in named for p in names.split(",")) if named else prefixes.add("CHECK")
    return prefixes


def expected(text):
    """Ids that this test passes only for if the tool prints them."""
    if re.search(r"^\W*(?:XFAIL|REQUIRES|UNSUPPORTED):", text, re.M):
        return []
    lines = re.findall(r"\b([A-Z][A-Z0-9_]*)(?:-(?:NEXT|SAME|DAG|COUNT-[1-9]\d*))?:([^\n]*)", text)
    prefixes = checked_prefixes(text)
    return [ident for prefix, rest in lines if prefix in prefixes
            for ident in re.findall(r"refused \[([a-z-]+)\]", rest)]


def tested():
    found = {}
    for suite in suites:
        for path in sorted((root / "test" / suite).rglob("*")):
            if path.suffix in (".c", ".cpp", ".test") and "Inputs" not in path.parts:
                for ident in expected(path.read_text()):
                    found.setdefault(ident, path.relative_to(root))
    return found


def sections():
    text = (root / "docs/refusals.md").read_text()
    return set(re.findall(r"^## ([a-z-]+)\s*$", text, re.M))


def main():
    entries, tests, documented = registry(), tested(), sections()
    ids = {ident for ident, _ in entries}
    errors = []
    if not entries:
        errors.append("tool/model/Refusals.def: no entry could be read")
    for ident, anchor in entries:
        if ident not in tests:
            errors.append(f"{ident}: no lit test checks for 'refused [{ident}]'")
        if anchor not in documented:
            errors.append(f"{ident}: docs/refusals.md has no section '## {anchor}'")
    for ident, path in tests.items():
        if ident not in ids:
            errors.append(f"{path}: '{ident}' is not in tool/model/Refusals.def")
    for anchor in documented - {anchor for _, anchor in entries}:
        errors.append(f"docs/refusals.md: section '{anchor}' belongs to no refusal")
    for error in errors:
        print(error)
    print(f"{len(entries)} refusals, {len(errors)} errors")
    return bool(errors)


sys.exit(main())
