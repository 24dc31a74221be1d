#!/usr/bin/env bash
# Packs a binary into a Debian package: deb.sh BINARY. Called by `make deb`; the package lies in target/debian.
set -euo pipefail
binary=$(realpath "$1")
cd "$(dirname "$0")/.."
staged=target/packaging
rm -rf "$staged" && mkdir -p "$staged"
cp "$binary" "$staged/evenkeel"
scripts/fill.sh packaging/evenkeel.service.in BINDIR=/usr/bin SYSCONFDIR=/etc DOCDIR=/usr/share/doc/evenkeel > "$staged/evenkeel.service"
scripts/fill.sh packaging/my.cnf.in LOCALSTATEDIR=/var > "$staged/my.cnf"
gzip -9n < CHANGELOG.md > "$staged/changelog.gz"
mkdir -p target/debian
# lines of a panic's trace are worth more than a small package
CARGO_TARGET_DIR=$PWD/target cargo deb --quiet --no-build --no-strip -p server --output target/debian/ >/dev/null
ls target/debian/evenkeel_*.deb
