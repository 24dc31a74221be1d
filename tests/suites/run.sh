#!/usr/bin/env bash
# Runs one of the suites in this folder with the project's Python: run.sh NAME [ARGUMENTS]; without a name it lists them (README.md says what each needs).
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ $# = 0 ]; then
  echo "make suites SUITE=NAME, or tests/suites/run.sh NAME [ARGUMENTS]. What each needs: tests/suites/README.md"
  grep -E '^\| `' tests/suites/README.md | awk -F'|' '{ gsub(/`/, "", $2); printf "  %-26s%s\n", $2, $3 }'
  exit 0
fi
name=${1%.py}; shift
[ -e "tests/suites/$name.py" ] || { echo "there is no suite '$name'; tests/suites/run.sh lists them" >&2; exit 1; }
scripts/venv.sh
PYTHONPATH=tests exec .venv/bin/python "tests/suites/$name.py" "$@"
