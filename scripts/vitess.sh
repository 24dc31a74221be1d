#!/usr/bin/env bash
# Unmodified Vitess over Evenkeel (docs/scale-out.md): builds Vitess into target/vitess, then runs the cases, one line each.
#
#   scripts/vitess.sh                  all cases
#   scripts/vitess.sh move reshard     these cases
#   scripts/vitess.sh --list           their names
#   scripts/vitess.sh --build          build only
#
# EVENKEEL names the server's binary; --mysql runs the same cases over a real MySQL (scripts/mysql-peer.sh).
# Needs Go and etcd (Debian: etcd-server). Not part of what CI runs.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/target/vitess
stamp=$out/built.$(cat scripts/vitess/go.mod scripts/vitess/go.sum scripts/vitess/*/*.go | sha256sum | cut -c1-16)
if [ ! -e "$stamp" ]; then
  mkdir -p "$out"
  command -v etcd > /dev/null || { echo "etcd is missing: apt-get install etcd-server" >&2; exit 1; }
  export GOCACHE=$out/go-cache GOFLAGS="-buildvcs=false -p=${VITESS_BUILD_JOBS:-2}"
  for program in vttablet vtgate vtctldclient vtctld vtorc; do
    (cd scripts/vitess && nice -n 10 go build -mod=readonly -trimpath -ldflags='-s -w' -o "$out/" vitess.io/vitess/go/cmd/$program)
  done
  (cd scripts/vitess && nice -n 10 go build -mod=readonly -trimpath -ldflags='-s -w' -o "$out/vstream" ./vstream)
  rm -f "$out"/built.*
  touch "$stamp"
fi
[ "${1:-}" = --build ] && exit 0
scripts/venv.sh
PYTHONPATH=tests exec .venv/bin/python scripts/vitess/run.py "$@"
