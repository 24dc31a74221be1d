"""Rust text as far as the checks need it: code without comments, strings and tests; modules, paths, functions.

Every blanking keeps the length and the line breaks of the text, so an offset means the same place before and after.
"""
import functools, pathlib, re

COMMENT_OR_STRING = re.compile(
    r"//[^\n]*|/\*.*?\*/|b?r(#*)\".*?\"\1|b?\"(?:\\.|[^\"\\])*\"|b?'(?:\\(?:x..|u\{[^}]*\}|.)|[^\\'\n])'", re.S)
CFG_TEST = re.compile(r"#\[cfg\((?:test|all\(test\b[^\]]*)\)\]\s*(?:#\[[^\]]*\]\s*)*")
TEST_MODULE = re.compile(CFG_TEST.pattern + r"(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;")
WORD = re.compile(r"\w+")


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def closing(text, at, pairs={"{": "}", "(": ")", "[": "]", "<": ">"}):
    """Offset behind the bracket that closes the one at `at` (of code without strings); the text's end if none does."""
    opened, closed, depth = text[at], pairs[text[at]], 0
    for m in re.compile("[" + re.escape(opened + closed) + "]").finditer(text, at):
        if opened == "<" and text[m.start() - 1] in "-=":  # the arrow of a function type
            continue
        depth += 1 if m.group() == opened else -1
        if depth == 0:
            return m.end()
    return len(text)


@functools.cache
def code(path):
    """Code of a file: no comments, no strings."""
    return COMMENT_OR_STRING.sub(lambda m: blank(m.group()), path.read_text())


@functools.cache
def living(path):
    """Code of a file without what is compiled for tests only."""
    text, out, at = code(path), [], 0
    for m in CFG_TEST.finditer(text):
        if m.start() < at:
            continue
        end = re.compile(r"[{;]").search(text, m.end())
        end = len(text) if end is None else closing(text, end.start()) if end.group() == "{" else end.end()
        out += [text[at:m.start()], blank(text[m.start():end])]
        at = end
    return "".join(out) + text[at:]


@functools.cache
def sources(src):
    """Files of a crate's src folder that are not tests, each with its module's path: src/a/b.rs is ("a", "b"), lib.rs is ()."""
    files = sorted(src.rglob("*.rs"))
    tests = set()
    for path in files:
        home = path.parent if path.name in ("mod.rs", "lib.rs", "main.rs") else path.with_suffix("")
        for m in TEST_MODULE.finditer(code(path)):
            tests |= {home / f"{m.group(1)}.rs", home / m.group(1), path.parent / f"{m.group(1)}.rs"}
    out = {}
    for path in files:
        if path in tests or path.name.endswith(("_tests.rs", "tests.rs")) or any(p in tests for p in path.parents):
            continue
        parts = path.relative_to(src).with_suffix("").parts
        out[path] = parts[:-1] if parts[-1] in ("mod", "lib", "main") else parts
    return out


def use_tree(text, at):
    """Paths of the use tree at `at`, `a::{b, c::d}` as [a, b] and [a, c, d]."""
    parts = []
    while True:
        at = re.compile(r"\s*").match(text, at).end()
        if at < len(text) and text[at] == "{":
            end, out, depth, start = closing(text, at) - 1, [], 0, at + 1
            for i in range(at + 1, end + 1):
                if i == end or (text[i] == "," and depth == 0):
                    if text[start:i].strip():
                        out += [parts + p for p in use_tree(text, start)]
                    start = i + 1
                depth += {"{": 1, "}": -1}.get(text[i], 0)
            return out
        m = WORD.match(text, at)
        if not m:
            return [parts]
        parts = parts + [m.group()]
        m = re.compile(r"\s*::\s*").match(text, m.end())
        if not m or text[m.end():m.end() + 1] in "<*":
            return [parts]
        at = m.end()


def references(text, module):
    """Paths from the crate's root that code of `module` names: `crate::...`, and `super::...` as far as it leaves the module's parent."""
    for m in re.finditer(r"(?<!in )(?<![\w:])crate::(?=[\w{])", text):
        for p in use_tree(text, m.end()):
            yield m.start(), tuple(p)
    for m in re.finditer(r"(?<!in )(?<![\w:])((?:super::)+)(?=[\w{])", text):
        up = m.group(1).count("super")
        if up <= len(module):
            for p in use_tree(text, m.end()):
                yield m.start(), module[:len(module) - up] + tuple(p)


FN = re.compile(r"\bfn\s+(\w+)")


def functions(text):
    """(name, start, parameters, result type, end) of each function with a body."""
    for m in FN.finditer(text):
        at = m.end()
        if text[at:at + 1] == "<":
            at = closing(text, at)
        if text[at:at + 1] != "(":
            continue
        end = closing(text, at)
        body = re.compile(r"[{;]").search(text, end)
        while body and body.group() == ";" and text.rfind("[", end, body.start()) > text.rfind("]", end, body.start()):
            body = re.compile(r"[{;]").search(text, body.end())  # the `;` of an array type
        if not body or body.group() == ";":
            continue
        yield m.group(1), m.start(), text[at + 1:end - 1], text[end:body.start()], closing(text, body.start())


def split(text):
    """Parts between commas that stand in no bracket."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        if c in "([{<" or (c == ">" and text[i - 1] not in "-=") or c in ")]}":
            depth += 1 if c in "([{<" else -1
        elif c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [p for p in parts + [text[start:]] if p.strip()]


def wide_tuples(types):
    """Tuple types of four members and more in the text of a type."""
    found = 0
    for m in re.finditer(r"(?<![\w>])\(", types):
        if re.search(r"\b(?:fn|Fn|FnMut|FnOnce)\s*$", types[:m.start()]):
            continue
        found += len(split(types[m.end():closing(types, m.start()) - 1])) >= 4
    return found
