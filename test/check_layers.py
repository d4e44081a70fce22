#!/usr/bin/env python3
"""Layers, sizes and stray paths.

No stage includes a later one; only some see Clang's headers, one sees curl's;
source files longer than 500 lines are reported; no tracked text names a folder of some
developer's machine."""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
order = ["support", "scan", "model", "generate", "emulator", "compile", "verify",
         "bench", "store", "emit", "report", "agent", "serve"]
# Folders or beginnings of file names, relative to tool/.
sees_clang = ["scan/", "model/", "compile/Rule", "emulator/", "verify/oracle/", "main.cpp"]
sees_curl = ["agent/http/"]
longest = 500
sources = {".h", ".cpp", ".c", ".cu", ".cuh", ".def", ".inc"}
# Where a path of one machine is never right, and what such a path looks like.
texts = {".md", ".txt", ".cmake", ".json", ".py", ".in", ".yml", ".cfg"} | sources
stray = re.compile(r"(?<![\w.$}/])/(?:work|tmp|home|root|var/tmp)/")
stray_allowed = re.compile(r"^(?:tool|runtime|test)/")  # code may name /tmp/

errors = []


def tracked():
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root,
                         capture_output=True, text=True)
    if out.returncode == 0:
        return [root / name for name in out.stdout.splitlines() if (root / name).is_file()]
    return [p for p in root.rglob("*")
            if p.is_file() and not p.relative_to(root).parts[0].startswith(("build", ".deps", ".git"))]


def complain(path, line, message):
    errors.append(f"{path.relative_to(root)}:{line}: {message}")


def check_include(path, line, name):
    """One #include of a file below tool/."""
    relative = path.relative_to(root / "tool").as_posix()
    stage = relative.split("/")[0]
    if name.startswith(("clang/", "clang-c/")) and not relative.startswith(tuple(sees_clang)):
        complain(path, line, f"only {', '.join(sees_clang)} may see Clang's headers")
    if name.startswith("curl/") and not relative.startswith(tuple(sees_curl)):
        complain(path, line, "only the HTTP client may see curl")
    target = name.split("/")[0]
    if stage not in order or "/" not in name or target not in order:
        return
    if order.index(target) > order.index(stage):
        complain(path, line, f"{stage} may not include the later stage {target}")


def check_source(path):
    lines = path.read_text(errors="replace").splitlines()
    if len(lines) > longest:
        print(f"note: {path.relative_to(root)} has {len(lines)} lines, more than {longest}")
    below_tool = path.is_relative_to(root / "tool")
    for number, text in enumerate(lines, 1):
        match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', text)
        if not match:
            continue
        if below_tool:
            check_include(path, number, match[1])
        elif path.is_relative_to(root / "runtime") and match[1].startswith(("clang/", "llvm/", "nlohmann/")):
            complain(path, number, "the runtime may not depend on the tool's libraries")


def check_paths(path):
    relative = path.relative_to(root).as_posix()
    if stray_allowed.match(relative):
        return
    for number, text in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if stray.search(text):
            complain(path, number, "names a folder of one machine")


def main():
    files = tracked()
    for path in files:
        if path.suffix in sources:
            check_source(path)
        if path.suffix in texts or path.suffix == "":
            check_paths(path)
    for error in errors:
        print(error)
    print(f"{len(files)} files, {len(errors)} errors")
    return bool(errors)


sys.exit(main())
