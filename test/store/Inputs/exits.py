# exits.py CODES COMMAND...: runs the command and passes if its exit code is one
# of CODES (comma-separated).
import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
sys.exit(0 if str(code) in sys.argv[1].split(",") else 1)
