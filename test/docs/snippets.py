#!/usr/bin/env python3
"""snippets.py TOOL [--build DIR] [FILE...]: every block of code in the documents does what
the text says.

A comment in front of a block says how it is tried:

    <!-- try: shell -->           commands, run in the document's scratch folder; lines that
                                  begin with "$ " are commands, what follows is their output,
                                  "..." standing for any text. exit=N expects that status.
    <!-- try: output -->          what the last command printed
    <!-- try: file NAME -->       the block is this file of the scratch folder
    <!-- try: scan taken -->      C++ in which the tool takes every loop; "refused ID": it
                                  refuses each for that reason. Further lines of the comment are a
                                  text around the block, which stands at @@. "lines": each line
                                  of the block alone; "statements": each statement, where lines
                                  hold several with two blanks between
    <!-- try: options -->         commands that need a key, a network or a GPU, or take long: the
                                  command and its options exist
    <!-- try: folders -->         the first word of each line is there
    <!-- try: figure -->          no code
    <!-- try: cmake -->           a CMakeLists.txt that configures (the text around it as above)
    <!-- try: part FILE -->       text of that file of the repository, word for word

With "hidden NAME" the comment itself is the file and no block follows. A block without
a comment is an error.
"""
import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]


class Block:
    def __init__(self, line, text, directive):
        self.line, self.text = line, text
        head, _, self.body = (directive or "").partition("\n")
        self.words = head.split()


def blocks(path):
    """Fenced and indented blocks with the comment before each."""
    lines = path.read_text().splitlines()
    found, directive, i, blank = [], None, 0, True
    while i < len(lines):
        line = lines[i]
        if match := re.match(r"<!-- try: (.*)", line):
            text = match[1]
            while "-->" not in text:
                i += 1
                text += "\n" + lines[i]
            directive = text[: text.index("-->")].rstrip()
            if directive.split()[0] == "hidden":
                found.append(Block(i + 1, "", directive))
                directive = None
        elif fence := re.match(r"( *)(`{3,})", line):
            start, body = i + 1, []
            i += 1
            while not lines[i].strip().startswith(fence[2]):
                body.append(lines[i][len(fence[1]):])
                i += 1
            found.append(Block(start, "\n".join(body) + "\n", directive))
            directive = None
        elif line.startswith("    ") and blank and not in_list(lines, i):
            start, body = i + 1, []
            while i < len(lines) and (lines[i].startswith("    ") or not lines[i].strip()):
                body.append(lines[i][4:])
                i += 1
            found.append(Block(start, "\n".join(body).rstrip() + "\n", directive))
            directive = None
            blank = True
            continue
        elif line.strip():
            directive = None if not line.startswith("<!--") else directive
        blank = not line.strip() or line.startswith("<!--") or line.endswith("-->")
        i += 1
    return found


def in_list(lines, i):
    """An indented line that goes on with an item of a list."""
    while i > 0 and (not lines[i].strip() or lines[i].startswith(" ")):
        i -= 1
    return bool(re.match(r"([-*]|\d+\.) ", lines[i]))


def matches(expected, got):
    """`...` stands for any text; trailing blanks don't count."""
    def plain(text):
        return "\n".join(line.rstrip() for line in text.strip().splitlines())
    pattern = ".*".join(re.escape(part) for part in plain(expected).split("..."))
    return re.fullmatch(pattern, plain(got), re.S)


class Document:
    def __init__(self, path, tool, build):
        self.path, self.tool, self.build = path, tool, build
        self.folder = tempfile.TemporaryDirectory(prefix="autokernel-docs-")
        self.at = pathlib.Path(self.folder.name)
        self.output, self.errors, self.count = "", [], 0
        tools = self.at / ".bin"
        tools.mkdir()
        (tools / "autokernel").symlink_to(tool)
        self.environment = dict(os.environ, PATH=f"{tools}{os.pathsep}{os.environ['PATH']}",
                                CLANG_NO_DEFAULT_CONFIG="1", autokernel_DIR=str(build or ""))
        for name in [n for n in self.environment if n.startswith("AUTOKERNEL")]:
            del self.environment[name]

    def complain(self, block, message):
        self.errors.append(f"{self.path.relative_to(root)}:{block.line}: {message}")

    def run(self, command, cwd=None):
        done = subprocess.run(["bash", "-c", command], cwd=cwd or self.at, text=True,
                              env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=900)
        return done.returncode, done.stdout

    def shell(self, block):
        wanted = next((int(w[5:]) for w in block.words if w.startswith("exit=")), 0)
        text = block.text
        if not re.search(r"^\$ ", text, re.M):
            text = "".join(f"$ {line}\n" if line and not line.startswith(" ") else line + "\n"
                           for line in text.splitlines())
        for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command, _, expected = part.partition("\n")
            while command.endswith("\\"):
                more, _, expected = expected.partition("\n")
                command = command[:-1] + more
            code, self.output = self.run(command)
            if code != wanted:
                self.complain(block, f"'{command}' ended with {code}:\n{self.output}")
            if expected.strip() and not matches(expected, self.output):
                self.complain(block, f"'{command}' printed\n{self.output}and not\n{expected}")

    def scan(self, block):
        text = (block.body or "@@").strip("\n") + "\n"
        pieces = [block.text]
        if "lines" in block.words or "statements" in block.words:
            pieces = [line + "\n" for line in block.text.splitlines() if line.strip()]
        if "statements" in block.words:
            pieces = [part + "\n" for line in pieces
                      for part in re.split(r"(?<=;) {2,}", re.sub(r"//.*", "", line).strip())]
        for piece in pieces:
            name, flag = "snippet.cpp", "-std=c++20"
            (self.at / name).write_text(text.replace("@@", piece))
            include = shlex.quote(str(root / "annotations/include"))
            code, output = self.run(f"autokernel scan {name} -- {flag} -I {include}")
            if "refused" in block.words:
                reason = block.words[block.words.index("refused") + 1]
                good = code == 1 and f"refused [{reason}]" in output and \
                    (" taken: " not in output or "taken-besides" in block.words)
            else:
                good = code == 0 and " taken: " in output
            if not good:
                self.complain(block, f"scan ended with {code}:\n{output}for\n{piece}")

    def options(self, block):
        for line in re.sub(r"\\\n", " ", block.text).splitlines():
            line = re.sub(r"\s#.*", "", line)
            for command in re.split(r"&&|>", line)[: 1 if ">" in line else None]:
                words = [w for w in shlex.split(command) if not re.match(r"[A-Z_]+=", w)]
                self.known(block, words[: words.index("--")] if "--" in words else words)

    def known(self, block, words):
        """The command is there, and has these options."""
        used = {w.split("=")[0] for w in words if w.startswith("-")}
        if words[0] == "autokernel":
            text = self.run(f"autokernel {shlex.quote(words[1])} --help")[1]
            known = set(re.findall(r"^  (--?[a-z][a-z-]*)", text, re.M))
            good = "USAGE" in text
        elif words[0] == "./dev":
            text = self.run("./dev help", root)[1]
            known, good = {"-L", "-R"}, f"./dev {words[1]} " in text
        elif words[0].endswith(".py"):
            text = self.run(f"python3 {words[0]} --help", root)[1]
            known, good = set(re.findall(r"--?[a-z][a-z-]*", text)), "usage" in text
        elif "--preset" in words:
            presets = (root / "CMakePresets.json").read_text()
            known, good = {"--preset", "--build"}, f'"{words[words.index("--preset") + 1]}"' in presets
        else:
            known, good = set(), False
        if not good or not used <= known:
            self.complain(block, f"{' '.join(words)}: {used - known or 'unknown'}")

    def folders(self, block):
        for line in block.text.splitlines():
            if line.strip() and not line.startswith(" ") and not (root / line.split()[0]).exists():
                self.complain(block, f"there is no {line.split()[0]}")

    def cmake(self, block):
        folder = self.at / "configured"
        folder.mkdir(exist_ok=True)
        (folder / "CMakeLists.txt").write_text((block.body or "@@").replace("@@", block.text))
        for name in re.findall(r"[\w/.]+\.cpp", block.text):
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("int main() {}\n")
        code, output = self.run("cmake -S . -B b -DAUTOKERNEL=OFF --fresh 2>&1 || cat b/CMakeFiles/*.log", folder)
        if code or "CMake Error" in output:
            self.complain(block, f"doesn't configure:\n{output}")

    def one(self, block):
        kind = block.words[0] if block.words else ""
        if kind in ("file", "hidden"):
            file = self.at / block.words[1]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text if kind == "file" else block.body.strip("\n") + "\n")
        elif kind == "output":
            if not matches(block.text, self.output):
                self.complain(block, f"the last command printed\n{self.output}")
        elif kind == "part":
            if block.text.strip() not in (root / block.words[1]).read_text():
                self.complain(block, f"isn't in {block.words[1]}")
        elif kind == "figure":
            return
        elif kind in ("shell", "scan", "options", "cmake", "folders"):
            getattr(self, kind)(block)
        else:
            self.complain(block, "no comment says how this block is tried")
            return
        self.count += 1

    def all(self):
        for block in blocks(self.path):
            self.one(block)
        self.folder.cleanup()
        return self.errors


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("--build", help="where autokernelConfig.cmake is")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    files = [f.resolve() for f in options.files] or \
        sorted([root / "README.md", root / "CONTRIBUTING.md", *root.glob("docs/*.md")])
    errors, count = [], 0
    for path in files:
        document = Document(path, os.path.abspath(options.tool), options.build and os.path.abspath(options.build))
        errors += document.all()
        count += document.count
        print(f"{path.relative_to(root)}: {document.count} blocks", flush=True)
    for error in errors:
        print(error)
    print(f"{count} blocks tried, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
