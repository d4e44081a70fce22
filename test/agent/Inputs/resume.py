"""Kills the tool at many points of a run; each rerun must end right."""
import json
import os
import signal
import subprocess
import sys
import time

tool, source, writer, folder = sys.argv[1:5]
command = f"{sys.executable} {writer} wrong race good"


def start(store):
    return subprocess.Popen(
        [tool, "generate", "--generator=command", "--command", command,
         "--without-nvcc", "--kernel-dir", store, source, "--", "-std=c++17"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def lines(store):
    path = os.path.join(store, "total.transcript.jsonl")
    return [json.loads(l) for l in open(path) if l.strip()] if os.path.exists(path) else []


def check(store, delay):
    process = start(store)
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = lines(store)
    output = start(store).communicate()[0]
    assert "attempt 3: verified on the emulator" in output, (delay, output)
    after = lines(store)
    replies = [l for l in after if l["type"] == "reply"]
    # What had been answered is not asked again.
    assert [l["attempt"] for l in replies] == [1, 2, 3], (delay, replies)
    assert after[: len(before)] == before, delay
    assert not [f for f in os.listdir(store) if "tmp" in f], os.listdir(store)


for number, delay in enumerate([0.05, 0.5, 1.2, 2.0, 2.8, 3.6]):
    check(os.path.join(folder, f"kill{number}"), delay)

# Ctrl-C: within a second or so, with the best so far stored.
store = os.path.join(folder, "stop")
command = f"{sys.executable} {writer} wrong sleep"
process = start(store)
for _ in range(600):
    if any(l["type"] == "request" and l["attempt"] == 2 for l in lines(store)):
        break
    time.sleep(0.05)
begin = time.time()
process.send_signal(signal.SIGINT)
output = process.communicate()[0]
assert time.time() - begin < 2, time.time() - begin
assert process.returncode == 130, process.returncode
assert "the same command goes on from here" in output, output
assert "template reduce" in open(os.path.join(store, "total.cu")).read()
print("good")
