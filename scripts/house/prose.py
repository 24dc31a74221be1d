"""What prose names exists: files (paths with a slash and an ending), items (`crate::module::item`), links between documents.

Prose is docs/**/*.md, the *.md at the top, and `//!` and `///` comments. A path may be given from the root, from crates/, from the file's own crate, src folder or
folder, without the `src` in its middle, or as the end of a file's path; `{a,b}` and `*` are understood. What is not in the tree on purpose (data files,
things of other projects) has an ending that is not looked at, starts with `/`, `~` or a folder of NOT_OURS, or stands in a line that says
"not in the tree".
"""
import fnmatch, os, re

from . import rust

ENDINGS = "rs|md|py|sh|txt|sql|toml|lua"
PATH = re.compile(r"(?<![\w./~<$#@:*{-])((?:\.\./|\./)*(?:[\w.*-]|\{[\w.,*-]+\})+(?:/(?:[\w.*-]|\{[\w.,*-]+\})+)*/(?:[\w.*-]|\{[\w.,*-]+\})+\.(?:" + ENDINGS + r"))(?![\w/*-])")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
ITEM = re.compile(r"(?<![\w:/])([a-z]\w*)((?:::\w+)+)")
NOT_OURS = ("target", "mysql-test", "storage/innobase", "data", "lib", "etc", "usr", "tmp", "var")
SKIP = {"target", ".git", ".venv", "node_modules", "__pycache__"}


def tree(root):
    """Every file's path from the root."""
    out = set()
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f not in SKIP]
        rel = os.path.relpath(folder, root)
        out |= {os.path.normpath(os.path.join(rel, f)) for f in files}
    return out


def ends(files):
    """Each path and each of its ends, with and without the `src` in its middle."""
    out = set()
    for f in files:
        for path in {f, f.replace("/src/", "/")}:
            parts = path.split("/")
            out |= {"/".join(parts[i:]) for i in range(len(parts))}
    return out


def alternatives(path):
    m = re.search(r"\{([^{}]*)\}", path)
    if not m:
        return [path]
    return [p for one in m.group(1).split(",") for p in alternatives(path[:m.start()] + one + path[m.end():])]


def there(path, rel, known):
    known_ends, folders = known
    if path.split("/")[0] in NOT_OURS:
        return True
    if path.startswith("."):
        path = os.path.normpath(os.path.join(os.path.dirname(rel), path))
    if "*" in path:
        return any(fnmatch.fnmatch(e, path) for e in known_ends)
    return path in known_ends or path in folders


def prose(path):
    """(line number, text) of a file's prose."""
    fenced = False
    for i, line in enumerate(path.read_text().split("\n"), 1):
        if path.suffix == ".md":
            fenced ^= line.startswith("```")
            yield i, line
        elif m := re.match(r"\s*//[/!](.*)", line):
            fenced ^= m.group(1).strip().startswith("```")
            if not fenced:
                yield i, m.group(1)


def modules(root):
    """{crate: {module path: words of its file}}; inline modules and items are words, and so is what a module gives on with `*`."""
    out = {}
    for crate in (p for p in (root / "crates").iterdir() if (p / "src").is_dir()):
        found, given = {}, []
        out[crate.name] = found
        for path in (crate / "src").rglob("*.rs"):
            parts = path.relative_to(crate / "src").with_suffix("").parts
            parts = parts[:-1] if parts[-1] in ("mod", "lib", "main") else parts
            found[parts] = found.get(parts, set()) | set(rust.WORD.findall(rust.code(path)))
            given += [(parts, parts + (m.group(1),)) for m in re.finditer(r"\buse (?:self::)?(\w+)::\*", rust.code(path))]
        for here, there in given:
            found[here] = found[here] | found.get(there, set())
    return out


def item(crate, path, mods):
    """Whether crate::path leads to something; behind an item (a type's function) anything goes that the crate has a word for."""
    at, rest = (), list(path)
    while rest and at + (rest[0],) in mods[crate]:
        at, rest = at + (rest[0],), rest[1:]
    if not rest:
        return True
    if rest[0] not in mods[crate].get(at, ()):
        return False
    return len(rest) == 1 or any(rest[1] in words for words in mods[crate].values())


def check(root):
    files = tree(root)
    folders = {os.path.dirname(f) for f in files}
    known, mods, out = (ends(files), folders), modules(root), []
    paths = [p for p in sorted(root.glob("*.md")) if p.name != "NOTICES.md"]  # the texts of others
    paths += sorted((root / "docs").rglob("*.md"))
    paths += [p for c in sorted((root / "crates").iterdir()) for p in sorted(c.rglob("*.rs"))]
    for path in paths:
        rel = path.relative_to(root).as_posix()
        crate = rel.split("/")[1] if rel.startswith("crates/") else None
        for line, text in prose(path):
            if "not in the tree" in text:
                continue
            if "/" in text:
                for m in PATH.finditer(text):
                    for one in alternatives(m.group(1)):
                        if not there(one, rel, known):
                            out.append(f"{rel}:{line}: names {one}, which does not exist")
                for m in LINK.finditer(text) if path.suffix == ".md" else ():
                    if "://" not in m.group(1) and not (path.parent / m.group(1)).exists():
                        out.append(f"{rel}:{line}: links to {m.group(1)}, which does not exist")
            if "::" in text:
                for m in ITEM.finditer(text):
                    owner = crate if m.group(1) == "crate" else m.group(1)
                    if owner in mods and not item(owner, m.group(2)[2:].split("::"), mods):
                        out.append(f"{rel}:{line}: names {m.group(0)}, which does not exist")
    return out
