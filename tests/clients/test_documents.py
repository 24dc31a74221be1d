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
