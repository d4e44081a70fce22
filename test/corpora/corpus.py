"""A corpus of candidates: `<corpus>/<region>/<name>.cu`, judged against the loop
in `regions/<region>.cpp`. The comment at a candidate's head says what it is and
what has to become of it:

    // What it does, in a line or two.
    // CLASS: the class of cheats it stands for          (cheats only)
    // EXPECT: accepted
    // EXPECT: <verdict> <gate> "<part of the message>"
    // PENDING: <gate>       the gate that would reject it isn't there yet
    // OPTIONS: <more options of autokernel verify>
"""
import json
import pathlib
import re
import shlex
import subprocess
from dataclasses import dataclass, field

TESTS = pathlib.Path(__file__).resolve().parent.parent
EXPECT = re.compile(r'(?P<verdict>\S+)(?: (?P<gate>\S+)(?: "(?P<message>.*)")?)?$')


@dataclass
class Candidate:
    path: pathlib.Path
    corpus: str
    region: str
    title: str = ""
    kind: str = ""
    verdict: str = ""
    gate: str = ""
    message: str = ""
    pending: str = ""
    options: list = field(default_factory=list)

    @property
    def name(self):
        return f"{self.region}/{self.path.stem}"


def region_file(region):
    return TESTS / "regions" / f"{region}.cpp"


def region_class(region):
    """The first line of a region's file names its class."""
    return region_file(region).read_text().splitlines()[0].removeprefix("// ")


def read_candidate(path):
    c = Candidate(path, path.parent.parent.name, path.parent.name)
    for line in path.read_text().splitlines():
        if not line.startswith("//"):
            break
        text = line[2:].strip()
        key, _, value = text.partition(": ")
        if key == "CLASS":
            c.kind = value
        elif key == "EXPECT":
            m = EXPECT.match(value)
            if not m:
                raise SystemExit(f"{path}: '{value}' is no expectation: write "
                                 'accepted, or <verdict> <gate> "<message>"')
            c.verdict = m["verdict"].replace("accepted", "verified")
            c.gate, c.message = m["gate"] or "", m["message"] or ""
        elif key == "PENDING":
            c.pending = value
        elif key == "OPTIONS":
            c.options = shlex.split(value)
        else:
            c.title += (" " if c.title else "") + text
    if not c.verdict or not c.title:
        raise SystemExit(f"{path}: the head needs a sentence and an EXPECT line")
    return c


def read_corpus(name):
    found = sorted((TESTS / name).glob("*/*.cu"))
    if not found:
        raise SystemExit(f"{TESTS / name}: no candidates there")
    return [read_candidate(p) for p in found]


def verify(tool, candidate, work, extra=()):
    """The entry of the region in `autokernel verify --format=json`."""
    command = [tool, "verify", "--without-nvcc", "--max-seconds=20",
               "--candidate", str(candidate.path), "--region", candidate.region,
               "--kernel-dir", str(work), "--format=json", *candidate.options,
               *extra, str(region_file(candidate.region)), "--", "-std=c++17"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        return {"verdict": f"exit code {done.returncode}", "gate": "",
                "message": done.stderr.strip()}
    return json.loads(done.stdout)["regions"][0]


def problem(candidate, result):
    """What is wrong with a result, or an empty text."""
    got = f'{result["verdict"]} {result["gate"]} "{result["message"]}"'
    if candidate.pending:
        if result["verdict"] == "verified":
            return ""
        return (f"was pending for the gate '{candidate.pending}' and is now {got}; "
                "remove its PENDING line")
    want = candidate.verdict
    if candidate.gate:
        want += f' {candidate.gate} "{candidate.message}"'
    same = (result["verdict"] == candidate.verdict
            and (not candidate.gate or result["gate"] == candidate.gate)
            and candidate.message in result["message"])
    return "" if same else f"is {got}, expected {want}"
