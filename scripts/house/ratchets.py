"""Numbers that may fall and never rise: scripts/ratchets.txt holds today's, a section a crate and one for the documents.

A number that rose is a breach, and so is one that fell and is still written higher: `scripts/check_house.py --lower` writes the lower ones, in the same
commit. It never writes a higher one. After a merge conflict in the file take either side and run it.
"""
import re

from . import rust

LONG_FUNCTION, PARAMETERS, TUPLE, WIDE, LONG_FILE = 70, 6, 4, 120, 400
KINDS = {
    "long functions": f"functions over {LONG_FUNCTION} lines",
    "many parameters": f"functions with more than {PARAMETERS} parameters",
    "wide tuples": f"tuple types of {TUPLE} and more members in signatures and fields",
    "wide prose": f"lines of prose over {WIDE} columns",
    "long files": f"files over {LONG_FILE} lines",
}
FIELDS = re.compile(r"\b(?:struct|enum|type)\s+\w+")


def measure(root):
    """{section: {kind: [places]}}."""
    out = {}

    def note(section, kind, place):
        out.setdefault(section, {}).setdefault(kind, []).append(place)

    for crate in sorted(p for p in (root / "crates").iterdir() if p.is_dir()):
        for path in rust.sources(crate / "src"):
            rel, text = path.relative_to(root).as_posix(), rust.living(path)
            full = path.read_text()
            if full.count("\n") > LONG_FILE:
                note(crate.name, "long files", rel)
            for i, line in enumerate(full.split("\n"), 1):
                if len(line) > WIDE and re.match(r"\s*//", line):
                    note(crate.name, "wide prose", f"{rel}:{i}")
            for name, start, params, result, end in rust.functions(text):
                place = f"{rel}:{text.count(chr(10), 0, start) + 1} {name}"
                if text.count("\n", start, end) + 1 > LONG_FUNCTION:
                    note(crate.name, "long functions", place)
                if len([p for p in rust.split(params) if not re.match(r"\s*&?(?:'\w+\s+)?(?:mut\s+)?self\b", p)]) > PARAMETERS:
                    note(crate.name, "many parameters", place)
                for _ in range(rust.wide_tuples(result) + rust.wide_tuples(params)):
                    note(crate.name, "wide tuples", place)
            for m in FIELDS.finditer(text):
                body = re.compile(r"[{;(=]").search(text, m.end())
                if body is None or body.group() == ";":
                    continue
                if body.group() == "=":
                    types = text[body.end():text.find(";", body.end())]
                else:
                    types = text[body.start() + 1:rust.closing(text, body.start()) - 1]
                types = re.sub(r"(\w)\s*\(([^()]*)\)", r"\1 \2", types) if m.group().startswith("enum") else types
                for _ in range(rust.wide_tuples(types)):
                    note(crate.name, "wide tuples", f"{rel}:{text.count(chr(10), 0, m.start()) + 1} {m.group()}")
    for path in sorted(root.glob("*.md")) + sorted((root / "docs").rglob("*.md")):
        if path.name == "NOTICES.md":  # the texts of others, generated
            continue
        for i, line in enumerate(path.read_text().split("\n"), 1):
            if len(line) > WIDE and not line.startswith("|"):
                note("documents", "wide prose", f"{path.relative_to(root).as_posix()}:{i}")
    return out


def read(text):
    out, section = {}, None
    for line in text.splitlines():
        if m := re.match(r"\[(.+)\]$", line.strip()):
            section = m.group(1)
        elif m := re.match(r"([a-z ]+?)\s*=\s*(\d+)$", line.split("#")[0].strip()):
            out.setdefault(section, {})[m.group(1)] = int(m.group(2))
    return out


HEAD = """# Numbers that may fall and never rise (scripts/house/ratchets.py):
{kinds}
# `scripts/check_house.py --lower` writes those that fell; `--list KIND` shows the places.
"""


def write(numbers):
    text = HEAD.format(kinds="\n".join(f"#   {k}: {v}" for k, v in KINDS.items()))
    for section in sorted(numbers):
        text += f"\n[{section}]\n" + "".join(f"{k} = {numbers[section].get(k, 0)}\n" for k in KINDS)
    return text


def check(root, lower=False):
    path = root / "scripts/ratchets.txt"
    told, now, out = read(path.read_text()), measure(root), []
    for section in sorted(told.keys() | now.keys()):
        for kind, what in KINDS.items():
            places = now.get(section, {}).get(kind, [])
            limit = told.get(section, {}).get(kind, 0)
            if len(places) > limit:
                out.append(f"{section}: {len(places)} {what}, at most {limit} (scripts/ratchets.txt); see `scripts/check_house.py --list '{kind}'`")
            elif len(places) < limit:
                if lower:
                    told[section][kind] = len(places)
                else:
                    out.append(f"{section}: {len(places)} {what}, fewer than the {limit} of scripts/ratchets.txt: "
                               "run `scripts/check_house.py --lower` and commit it with this change")
    if lower:
        path.write_text(write(told))
    return out
