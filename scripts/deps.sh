#!/usr/bin/env bash
# Installs what is missing on Debian for one group of make targets, and does nothing when all is there:
#   build   building                  all     building and testing
#   deb     the Debian package        image   the container image
#   docs    the book                  audit   licences and sources of libraries
set -euo pipefail
what=${1:-build}
need=() tools=()
package() { command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ] || need+=("$2"); }
# A program written in Rust that Debian's stable release does not have. Built quickly rather than to be quick.
tool() { command -v "$1" >/dev/null || [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/$1" ] || tools+=("$1@$2"); }
case $what in
  build|all)
    package cc build-essential
    package cmake cmake ;;
esac
case $what in
  all)
    package sysbench sysbench
    package mydumper mydumper
    package mariadb mariadb-client
    package mariadbd mariadb-server
    package mold mold
    package chromium chromium
    package zstd zstd
    package valgrind valgrind
    package objdump binutils
    python3 -c 'import venv, ensurepip' 2>/dev/null || need+=(python3-venv) ;;
  deb)
    package dpkg-shlibdeps dpkg-dev
    tool cargo-deb 3.8.0 ;;
  image)
    package mmdebstrap mmdebstrap
    package buildah buildah ;;
  docs) tool mdbook 0.5.4 ;;
  audit) tool cargo-deny 0.20.2 ;;
esac
if [ ${#need[@]} -gt 0 ]; then
  sudo=; [ "$(id -u)" = 0 ] || sudo=sudo
  echo "installing: ${need[*]}" >&2
  $sudo apt-get update -qq
  # the package's own server must not start: tests start what they need
  [ -e /usr/sbin/policy-rc.d ] || { printf '#!/bin/sh\nexit 101\n' | $sudo tee /usr/sbin/policy-rc.d >/dev/null; $sudo chmod +x /usr/sbin/policy-rc.d; made=1; }
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${need[@]}" >/dev/null
  [ -z "${made:-}" ] || $sudo rm -f /usr/sbin/policy-rc.d
fi
for t in "${tools[@]}"; do
  echo "installing: $t" >&2
  cargo install --quiet --locked --profile dev "$t"
done
