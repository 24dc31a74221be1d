#!/usr/bin/env bash
# Builds go-tpc (the TPC-C load of tests/load/test_tpcc.py) at the version that tests/load/gotpc/go.mod pins, into target/tools, and prints
# its path. Needs Go, no root.
set -euo pipefail
cd "$(dirname "$0")/.."
tool=$PWD/target/tools/go-tpc-$(sha256sum tests/load/gotpc/go.sum | cut -c1-12)
if [ ! -x "$tool" ]; then
  command -v go >/dev/null || { echo "go-tpc.sh: no Go here" >&2; exit 3; }
  mkdir -p "${tool%/*}"
  (cd tests/load/gotpc && GOFLAGS=-mod=mod go build -o "$tool.new" github.com/pingcap/go-tpc/cmd/go-tpc) >&2
  mv "$tool.new" "$tool"
fi
echo "$tool"
