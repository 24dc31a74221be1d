#!/usr/bin/env bash
# Prints FILE with each @NAME@ replaced by its value: fill.sh FILE NAME=value...
set -euo pipefail
file=$1; shift
expressions=()
for pair in "$@"; do expressions+=(-e "s|@${pair%%=*}@|${pair#*=}|g"); done
sed "${expressions[@]}" "$file"
