#!/usr/bin/env python3
"""Checks a SARIF log by the fields that 2.1.0 requires and prints its results;
applies its fixes to a copy of the source. usage: LOG SOURCE MENDED"""
import json
import pathlib
import sys
import urllib.parse

log = json.loads(pathlib.Path(sys.argv[1]).read_text())
source = pathlib.Path(sys.argv[2])
lines = source.read_text().splitlines(keepends=True)


def check(condition, what):
    if not condition:
        sys.exit("not SARIF 2.1.0: " + what)


def file_of(artifact):
    uri = urllib.parse.urlparse(artifact["uri"])
    check(uri.scheme in ("", "file"), "an artifact's uri")
    check(uri.scheme or artifact.get("uriBaseId") == "%SRCROOT%", "a relative uri without a base")
    return pathlib.Path(urllib.parse.unquote(uri.path))


def region_of(location):
    physical = location["physicalLocation"]
    check(file_of(physical["artifactLocation"]).resolve() == source.resolve(), "the file")
    region = physical["region"]
    check(1 <= region["startLine"] <= len(lines), "startLine")
    check(region["startColumn"] >= 1, "startColumn")
    return region


check(log["version"] == "2.1.0", "version")
check(log["$schema"].endswith("sarif-2.1.0.json"), "$schema")
(run,) = log["runs"]
driver = run["tool"]["driver"]
check(driver["name"] == "autokernel" and driver["version"], "the driver")
rules = [rule["id"] for rule in driver["rules"]]
check(len(set(rules)) == len(rules), "a rule twice")
check(all(rule["shortDescription"]["text"] for rule in driver["rules"]), "a rule's description")
fixes = []
for result in run["results"]:
    check(result["ruleId"] in rules, "ruleId")
    check(result["level"] in ("none", "note", "warning", "error"), "level")
    (location,) = result["locations"]
    region = region_of(location)
    word = lines[region["startLine"] - 1][region["startColumn"] - 1:].split()[0]
    print(result["ruleId"], result.get("properties", {}).get("region", "-"), "at", word, "-",
          result["message"]["text"])
    for related in result.get("relatedLocations", []):
        region_of(related)
        print("  note:", related["message"]["text"])
    for fix in result.get("fixes", []):
        check(fix["description"]["text"], "a fix's description")
        (change,) = fix["artifactChanges"]
        check(file_of(change["artifactLocation"]).resolve() == source.resolve(), "a fix's file")
        for replacement in change["replacements"]:
            deleted = replacement["deletedRegion"]
            fixes.append((deleted["startLine"], deleted["startColumn"], deleted["endColumn"],
                          replacement["insertedContent"]["text"]))
for line, first, end, text in sorted(fixes, reverse=True):
    old = lines[line - 1]
    lines[line - 1] = old[:first - 1] + text + old[end - 1:]
pathlib.Path(sys.argv[3]).write_text("".join(lines))
