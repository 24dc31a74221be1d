"""Arrows inside crates: scripts/layers.txt says which module may import which.

One line a crate (or a folder of its modules): `planner: types < expr < bind, opt < explain`. A module never imports one named to its
right. Names joined by `,` lie on one level and do not import each other, those joined by `+` may. All modules at that height are named, lib.rs and
mod.rs (which only put them together) excepted. A line that starts with white space continues the one before; `#` starts a comment.
"""
import re

from . import rust


def read(text):
    """{place: [level, ...]}, a level being a list of groups, a group a set of names that may import each other."""
    lines = []
    for line in text.splitlines():
        line = line.split("#")[0].rstrip()
        if line[:1].isspace() and lines:
            lines[-1] += line
        elif line.strip():
            lines.append(line)
    out = {}
    for line in lines:
        place, _, rule = line.partition(":")
        out[place.strip()] = [[{n.strip() for n in group.split("+")} for group in level.split(",")] for level in rule.split("<")]
    return out


def reexports(path):
    """Where lib.rs or mod.rs has the names from that it gives on: `pub use bind::{A, b::C}` makes {A: bind, C: bind}."""
    out = {}
    text = rust.living(path)
    for m in re.finditer(r"\b(?:pub(?:\([^)]*\))?\s+)?use\s+(?:self::)?(?=\w)", text):
        for p in rust.use_tree(text, m.end()):
            if len(p) > 1 and p[0] not in ("crate", "super", "std"):
                out[p[-1]] = p[0]
    return out


def check(root, text=None):
    rules, out = read((root / "scripts/layers.txt").read_text() if text is None else text), []
    for place, levels in rules.items():
        crate, _, folder = place.partition("/")
        scope = tuple(folder.split("/")) if folder else ()
        src = root / "crates" / crate / "src"
        if not (src / folder).is_dir():
            out.append(f"scripts/layers.txt: no folder crates/{crate}/src/{folder} for `{place}`")
            continue
        files = {p: m for p, m in rust.sources(src).items() if m[:len(scope)] == scope and len(m) > len(scope)}
        tops = {p for p, m in rust.sources(src).items() if m == scope}
        given = {}
        for top in tops:
            given |= reexports(top)
        modules = {m[len(scope)] for m in files.values()}
        named = {n: (i, j) for i, level in enumerate(levels) for j, group in enumerate(level) for n in group}
        for n in sorted(modules - named.keys()):
            out.append(f"scripts/layers.txt: `{place}` does not say where module {n} stands")
        for n in sorted(named.keys() - modules):
            out.append(f"scripts/layers.txt: `{place}` names {n}, which is no module there")
        for path, module in files.items():
            me, seen = module[len(scope)], set()
            body = rust.living(path)
            for at, ref in rust.references(body, module):
                if ref[:len(scope)] != scope or len(ref) == len(scope):
                    continue
                it = ref[len(scope)]
                it = it if it in modules else given.get(it, it)
                if it == me or it not in named or me not in named or it in seen:
                    continue
                (mine, my_group), (its, its_group) = named[me], named[it]
                if its > mine or (its == mine and its_group != my_group):
                    seen.add(it)
                    line = body.count("\n", 0, at) + 1
                    what = "stands above it" if its > mine else "stands beside it"
                    out.append(f"{path.relative_to(root)}:{line}: {me} imports {it}, which {what} (scripts/layers.txt, `{place}`)")
    return out
