"""What the scripts that run mysqltest have in common: which lines of a result are statements, and how two results are compared.

mysqltest prints each statement and then its result; which lines are statements is known from the .test file and what it includes.
"""
import pathlib
import re
import subprocess
import tempfile

# a statement that prints a plan (EXTENDED and PARTITIONS are no longer in MySQL's grammar)
EXPLAIN = re.compile(r"\s*(?:explain|desc|describe)\s+(?:extended\s+|partitions\s+|analyze\s+|(?:format|into|for\s+(?:schema|database))\s*=?\s*[\w@`]+\s+)*\(*\s*(?:select|update|delete|insert|replace|with|table|values)\b", re.I)

OLD_EXPLAIN = re.compile(r"\s*(?:explain|desc|describe)\s+(?:extended|partitions)\b", re.I)


def texts(path, folders):
    """The .test file and the files that it includes, which are looked for in `folders` and beside the file."""
    todo, seen = [path], set()
    while todo:
        path = todo.pop()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        text = path.read_bytes().decode("latin-1")
        yield text
        todo += [folder / m for folder in (*folders, path.parent) for m in re.findall(r"^\s*(?:--)?\s*source\s+([^\s;$]+)\s*;?\s*$", text, re.M | re.I)]


def statement_lines(path, folders):
    """The lines of a .test file and what it includes, as they may appear in a result."""
    known = set()
    for text in texts(path, folders):
        known.update(re.sub(r"^(?:--\s*)?(?:eval|evalp|send|send_eval)\s+", "", line.strip()).rstrip(";").rstrip() for line in text.split("\n"))
        known.update(line.strip().rstrip(";").rstrip() for value in re.findall(r"^\s*(?:--)?let\s+\$\w+\s*=\s*((?:.|\n)*?);?\s*$", text, re.M) for line in value.split("\n"))
    return Known(known - {""})


class Known(set):
    """Lines of statements; those with variables of mysqltest in them as patterns."""

    def __init__(self, lines):
        super().__init__(lines)
        with_variables = sorted({l for l in lines if "$" in l and len(re.sub(r"\$\w+", "", l)) > 4 and not l.startswith(("let ", "--", "echo ", "if", "while"))})
        self.pattern = re.compile("|".join(".+".join(map(re.escape, re.split(r"\$\w+", l))) for l in with_variables) or r"(?!)")

    def __contains__(self, line):
        return super().__contains__(line) or bool(self.pattern.fullmatch(line))


def syntax_errors(lines):
    """The lines with the text of a syntax error in one line."""
    out = []
    for line in lines:
        if out and out[-1].startswith("ERROR 42000: You have an error in your SQL syntax") and not re.search(r"' at line \d+$", out[-1]):
            out[-1] += " " + line
        else:
            out.append(line)
    return out


def without_parts(text):
    """A statement without what stands in parentheses."""
    before = None
    while before != text:
        before, text = text, re.sub(r"\([^()]*\)", " ", text)
    return text


def unordered(lines, known, manual=(), within=True):
    """The lines with the rows of every statement without ORDER BY sorted and without what EXPLAIN prints;
    `manual`: (statement, pattern, replacement) applied to the lines of matching statements; without `within` an ORDER BY in parentheses does not count."""
    out, statement, rows = [], [], []
    for line in [*lines, None]:
        if line is None or line.endswith(";") or line.strip().rstrip(";").rstrip() in known:
            if rows:
                text = " ".join(statement)
                ordered = re.search(r"\border\s+by\b", text if within else without_parts(text), re.I)
                for statement_like, pattern, replacement in manual:
                    if statement_like.search(text):
                        rows = [pattern.sub(replacement, row) for row in rows]
                if EXPLAIN.match(text):
                    # that it fails is no matter of plans (EXTENDED and PARTITIONS are no longer in MySQL's grammar)
                    rows = [] if OLD_EXPLAIN.match(text) else [row for row in rows if row.startswith("ERROR ")]
                out += rows if ordered else rows[:1] + sorted(rows[1:])
                statement, rows = [], []
            if line is not None:
                if statement and statement[-1].endswith(";"):
                    statement = []
                if not line.startswith("#"):
                    statement.append(line)
                out.append(line)
        else:
            rows.append(line)
    return out


def without_remarks(lines):
    """The lines without mysqltest's own remarks about unexpected errors, which are no part of a result."""
    text = "\n".join(lines) + "\n"
    return re.sub(r"^mysqltest: (?:In included file .*\n(?:included from .*\n)*)?(?:At line \d+: (?:query '(?:.|\n)*?' (?:failed\b.* near '(?:.|\n){0,200}?' at line \d+(?:', instead of .*)?\n|(?:failed|succeeded)\b.*\n)(?:.* at line \d+(?:', instead of .*)?\n)?|.*\n))?", "", text, flags=re.M).rstrip("\n").split("\n")


def lines_equal(want, got, keep=None):
    """(equal lines, lines that count) by the shortest edit script."""
    with tempfile.TemporaryDirectory() as t:
        for name, lines in (("want", want), ("got", got)):
            pathlib.Path(t, name).write_bytes("".join(l + "\n" for l in lines).encode("latin-1"))
        out = subprocess.run(["diff", "-a", "-U6", "want", "got"], cwd=t, capture_output=True).stdout.decode("latin-1")
    if keep:
        keep.write_bytes(out.encode("latin-1"))
    gone = sum(l.startswith("-") and not l.startswith("--- want") for l in out.split("\n"))
    return len(want) - gone, max(len(want), len(got))


class Outcome:
    def __init__(self, name):
        self.name, self.raw, self.same, self.lines, self.note = name, 0, 0, 0, ""

    def percent(self, value):
        return 100.0 * value / self.lines if self.lines else 100.0


def causes(folder, names):
    """The lines that differ in the kept .diff files, grouped by what they look like: (how many, pattern, files)."""
    found = {}
    for name in names:
        for line in (folder / f"{name}.diff").read_text(encoding="latin-1").split("\n")[2:]:
            if line[:1] in ("-", "+"):
                shape = re.sub(r"\d+", "N", re.sub(r"'[^']*'|`[^`]*`", "''", line))[:100]
                count, files = found.get(shape, (0, set()))
                found[shape] = (count + 1, files | {name})
    return sorted(((count, shape, sorted(files)) for shape, (count, files) in found.items()), key=lambda c: -c[0])
