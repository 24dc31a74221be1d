#!/usr/bin/env bash
# Installs what is missing for building (`build`) or for building and testing (`all`) on Debian. Does nothing when all is there.
set -euo pipefail
what=${1:-build}
need=()
command -v cc >/dev/null || need+=(build-essential)
command -v cmake >/dev/null || need+=(cmake)
if [ "$what" = all ]; then
  command -v sysbench >/dev/null || need+=(sysbench)
  command -v mydumper >/dev/null || need+=(mydumper)
  command -v mariadb >/dev/null || need+=(mariadb-client)
  command -v mariadbd >/dev/null || [ -x /usr/sbin/mariadbd ] || need+=(mariadb-server)
  command -v mold >/dev/null || need+=(mold)
  python3 -c 'import venv, ensurepip' 2>/dev/null || need+=(python3-venv)
fi
if [ ${#need[@]} -gt 0 ]; then
  sudo=; [ "$(id -u)" = 0 ] || sudo=sudo
  echo "installing: ${need[*]}" >&2
  $sudo apt-get update -qq
  # the package's own server must not start: tests start what they need
  [ -e /usr/sbin/policy-rc.d ] || { printf '#!/bin/sh\nexit 101\n' | $sudo tee /usr/sbin/policy-rc.d >/dev/null; $sudo chmod +x /usr/sbin/policy-rc.d; made=1; }
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${need[@]}" >/dev/null
  [ -z "${made:-}" ] || $sudo rm -f /usr/sbin/policy-rc.d
fi
