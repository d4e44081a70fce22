#!/usr/bin/env python3
"""Every refusal of tool/model/Refusals.def has a lit test and a section of
docs/refusals.md, and neither speaks of an id that isn't in the registry."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
suites = ["scan", "model", "generate", "verify", "store", "cheats", "gpu", "known-bugs"]


def registry():
    text = (root / "tool/model/Refusals.def").read_text()
    return re.findall(r'^REFUSAL\("([^"]+)",\s*"[^"]*",\s*"([^"]+)"\)', text, re.M)


def tested():
    found = {}
    for suite in suites:
        for path in sorted((root / "test" / suite).rglob("*")):
            if path.suffix in (".c", ".cpp", ".test"):
                for ident in re.findall(r"refused \[([a-z-]+)\]", path.read_text()):
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
            errors.append(f"{ident}: no lit test mentions 'refused [{ident}]'")
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
