#!/usr/bin/env bash
# A virtual environment with what the integration tests import.
set -euo pipefail
cd "$(dirname "$0")/.."
stamp=.venv/.$(sha256sum tests/requirements.txt | cut -c1-16)
[ -e "$stamp" ] && exit 0
python3 -m venv .venv
.venv/bin/pip install -q -r tests/requirements.txt
touch "$stamp"
