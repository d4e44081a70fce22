#!/usr/bin/env python3
"""documented.py MANUAL DOCUMENT: the document names the same commands and options."""
import re
import sys

manual = open(sys.argv[1]).read().replace("\\-", "-")
text = open(sys.argv[2]).read()
options = set(re.findall(r"^\.B (--?[a-z][a-z-]*)", manual, re.M))
told = set(re.findall(r"`(--?[a-z][a-z-]*)[=` ]", text))
commands = set(re.findall(r"^\.B ([a-z]+)\n", manual.split(".SH OPTIONS")[0].split(".SH COMMANDS")[1], re.M))
listed = set(re.findall(r"`([a-z]+)`", re.search(r"\| command \|.*?\n\n", text, re.S)[0]))
problems = [f"'{o}' is not in the document" for o in sorted(options - told)]
problems += [f"'{o}' is no option" for o in sorted(told - options - {"--help", "--"})]
problems += [f"the command '{c}' is not in the document" for c in sorted(commands - listed)]
problems += [f"'{c}' is no command" for c in sorted(listed - commands)]
print("\n".join(problems))
sys.exit(1 if problems or len(options) < 20 or len(commands) < 10 else 0)
