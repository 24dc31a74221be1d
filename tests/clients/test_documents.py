"""What is generated from code is current; what is installed is complete; links between documents lead somewhere."""
import os
import re
import shutil
import subprocess
import sys

import pytest

from lib.servers import ROOT, binary


@pytest.mark.parametrize("script", ["docs/tools/options.py", "docs/tools/sysvars.py"])
def test_generated_pages_are_current(script):
    r = subprocess.run([sys.executable, ROOT / script, "--check"], capture_output=True, text=True)
    assert r.returncode == 0, r.stderr


def test_every_option_of_the_binary_is_in_its_documents():
    """The binary's own list against the generated page, so that a change of the script's reading cannot lose any."""
    text = subprocess.run([binary(), "serve", "--no-defaults", "--verbose", "--help"], capture_output=True, text=True, check=True).stdout
    options = re.findall(r"^  --([a-z0-9-]+)(?:\[?=\S*)? +(\S.*)$", text, re.M)
    assert len(options) > 500
    page = (ROOT / "docs/options.md").read_text()
    man = (ROOT / "packaging/evenkeel.1").read_text().replace("\\-", "-")
    for name, doc in options:
        if "ithout effect" not in doc:
            assert f"| `--{name}` |" in page, name
        if f"| `--{name}` |" in page.split("## Fixed")[0]:
            assert f"\n.B --{name}\n" in man, name


def test_every_command_is_in_the_manual_page():
    usage = subprocess.run([binary(), "--help"], capture_output=True, text=True, check=True).stdout
    commands = set(re.findall(r"^\s*(?:Usage: )?evenkeel ([a-z]+)", usage, re.M))
    assert {"serve", "backup", "restore"} <= commands
    synopsis = (ROOT / "packaging/evenkeel.1").read_text().split(".SH DESCRIPTION")[0]
    assert [c for c in commands if f"\n.B evenkeel {c}\n" not in synopsis] == []


@pytest.mark.parametrize("checker", [["man", "--warnings", "-l"], ["mandoc", "-T", "lint", "-W", "warning"]], ids=["man", "mandoc"])
def test_manual_page(checker):
    if not shutil.which(checker[0]):
        pytest.skip(f"no {checker[0]} here")
    r = subprocess.run([*checker, str(ROOT / "packaging/evenkeel.1")], capture_output=True, text=True, env={**os.environ, "MANWIDTH": "120", "LC_ALL": "C.UTF-8"})
    said = [line for line in (r.stderr + (r.stdout if checker[0] == "mandoc" else "")).splitlines() if "cannot adjust line" not in line]
    assert r.returncode == 0 and not said, said
    assert checker[0] != "man" or "--innodb-buffer-pool-size" in r.stdout


def test_install(tmp_path):
    """`make install` puts everything below DESTDIR, with the paths of the prefix filled in, and keeps settings that exist."""
    built = tmp_path / "built/release"
    built.mkdir(parents=True)
    shutil.copy(binary(), built / "evenkeel")
    env = {**os.environ, "CARGO_TARGET_DIR": str(tmp_path / "built")}
    command = ["make", "-s", "-C", str(ROOT), "install", f"DESTDIR={tmp_path}/root", "prefix=/opt/ek"]
    subprocess.run(command, env=env, check=True, capture_output=True)
    root = tmp_path / "root"
    unit = (root / "opt/ek/lib/systemd/system/evenkeel.service").read_text()
    settings = root / "etc/evenkeel/my.cnf"
    assert "ExecStart=/opt/ek/bin/evenkeel serve --defaults-file=/etc/evenkeel/my.cnf" in unit
    for text in (unit, settings.read_text()):
        assert not re.search(r"@[A-Z]+@", text)
    for name in ("opt/ek/share/man/man1/evenkeel.1", "opt/ek/share/doc/evenkeel/LICENSE-MIT", "opt/ek/lib/sysusers.d/evenkeel.conf"):
        assert (root / name).is_file(), name
    # the pages that README and the server's own messages point to
    readme = (root / "opt/ek/share/doc/evenkeel/README.md").read_text()
    for name in {"docs/compat.md", *re.findall(r"\]\((docs/[^)#]+)", readme)}:
        assert (root / "opt/ek/share/doc/evenkeel" / name).is_file(), name
    # the sample's options are the server's
    r = subprocess.run([root / "opt/ek/bin/evenkeel", "serve", f"--defaults-file={settings}", "--validate-config"], capture_output=True, text=True)
    assert r.returncode == 0 and not r.stderr, r.stderr
    settings.write_text("[mysqld]\nport=3399\n")
    subprocess.run(command, env=env, check=True, capture_output=True)
    assert settings.read_text() == "[mysqld]\nport=3399\n"


def test_links_between_documents():
    """Links in the documents lead to files and headings that exist."""
    pages = [p for p in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "tests").rglob("*.md")] if "node_modules" not in p.parts]
    assert len(pages) > 40
    broken = []
    for page in pages:
        if page.name == "NOTICES.md":
            continue
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.S)):
            path, _, heading = target.partition("#")
            if "://" in path or path.startswith("mailto:"):
                continue
            to = (page.parent / path) if path else page
            if not to.exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
            elif heading:
                anchors = {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in re.findall(r"^#+ (.*)$", to.read_text(), re.M)}
                if heading not in anchors:
                    broken.append(f"{page.relative_to(ROOT)}: {target} (no such heading)")
    assert not broken, broken


def user_pages():
    """The pages that people who only use the server read: README and the book's first part."""
    part = (ROOT / "docs/SUMMARY.md").read_text().split("# How it works")[0]
    return [ROOT / "README.md", *(ROOT / "docs" / p for p in re.findall(r"\]\((\S+?\.md)\)", part))]


def hard_to_read(text):
    """(line number, what is wrong): long lines, list items that break off in the middle of a sentence, notes to ourselves."""
    lines, fenced = text.split("\n"), False
    for i, line in enumerate(lines, 1):
        fenced ^= line.startswith("```")
        if fenced or line.startswith("    "):
            continue
        if len(line) > (290 if line.startswith("|") else 125):
            yield i, f"{len(line)} characters"
        below = lines[i] if i < len(lines) else ""
        if re.match(r" *\* |  ", line) and re.match(r" *\* ", below) and re.search(r" \.\.\.$", line):
            yield i, "an item that breaks off"
        if re.match(r"\* (of|is|are|has|have|and|or|but|so|which|that|whether) ", line):
            yield i, "an item without a beginning"
        if m := re.search(r"\bissue \d+|#\d+\b(?! )|\bTODO\b|\bthat date\b", line, re.I):
            yield i, f"a note to ourselves: {m[0]}"


def test_user_pages_can_be_read():
    pages = user_pages()
    assert len(pages) > 12
    found = [f"{p.relative_to(ROOT)}:{i}: {what}" for p in pages for i, what in hard_to_read(p.read_text())]
    assert not found, found


@pytest.mark.parametrize("text", ["* CREATE TABLE ...\n* SELECT gives", "| a | " + "b" * 290 + " |", "w " * 70, "* has 314 metrics", "as issue 27 says", "made before that date"])
def test_what_is_hard_to_read_is_found(text):
    assert list(hard_to_read(text))
