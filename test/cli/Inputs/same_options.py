#!/usr/bin/env python3
"""same_options.py MANUAL HELP: both name the same options."""
import re
import sys

manual = open(sys.argv[1]).read().replace("\\-", "-")
listed = set(re.findall(r"^\.B (--?[a-z][a-z-]*)", manual, re.M))
shown = set(re.findall(r"^  (--?[a-z][a-z-]*)", open(sys.argv[2]).read(), re.M))
shown -= {"--help", "--help-list", "--version"}
if listed != shown or len(listed) < 20:
    sys.exit(f"only in the manual: {listed - shown}; only in the help: {shown - listed}")
