"""Tables in the documentation that are made from a run's results."""
from corpus import region_class

def row(cells):
    return "| " + " | ".join(str(c).replace("|", "\\|") for c in cells) + " |"


def grid(head, rows):
    return [row(head), row(["---"] * len(head)), *map(row, rows)]


def summary(candidates):
    regions = sorted({c.region for c in candidates},
                     key=lambda r: (region_class(r), r))

    def count(corpus, region):
        return sum(c.corpus == corpus and c.region == region for c in candidates)
    rows = [(region_class(r), r, count("cheats", r), count("honest", r))
            for r in regions]
    rows.append(("all", "", sum(r[2] for r in rows), sum(r[3] for r in rows)))
    return grid(("class", "region", "cheats and bugs", "honest"), rows)


def cheats(candidates, results):
    rows = []
    for c in candidates:
        if c.corpus != "cheats" or c.pending:
            continue
        r = results[c.path]
        rows.append((c.kind, c.name, c.title, r["verdict"], r["gate"]))
    return grid(("class", "kernel", "what it does", "verdict", "gate"), sorted(rows))


def pending(candidates):
    rows = [(c.kind, c.name, c.title, c.pending) for c in candidates if c.pending]
    if not rows:
        return ["None."]
    return grid(("class", "kernel", "what it does", "waits for"), sorted(rows))


def honest(candidates):
    rows = [(c.name, c.title) for c in candidates if c.corpus == "honest"]
    return grid(("kernel", "what it does"), sorted(rows))


def text(candidates, results):
    parts = [summary(candidates), ["### Rejected"], cheats(candidates, results),
             ["### Not rejected yet"], pending(candidates),
             ["### Accepted"], honest(candidates)]
    return "\n\n".join("\n".join(p) for p in parts)


def marks(section):
    return f"<!-- {section}: made by test/corpora -->", f"<!-- {section}: end -->"


def split(path, section):
    begin, finish = marks(section)
    before, _, rest = path.read_text().partition(begin)
    old, end, after = rest.partition(finish)
    if not end:
        raise SystemExit(f"{path}: the lines '{begin}' and '{finish}' are missing")
    return before, old, after


def put_section(path, section, body):
    before, _, after = split(path, section)
    begin, finish = marks(section)
    path.write_text(f"{before}{begin}\n\n{body}\n\n{finish}{after}")


def update_table(path, candidates, results):
    put_section(path, "corpora", text(candidates, results))


def check_table(path, candidates, results):
    if split(path, "corpora")[1].strip() == text(candidates, results).strip():
        return 0
    print(f"{path}: the corpora's table is not current; "
          "run test/corpora/run.py with --update")
    return 1
