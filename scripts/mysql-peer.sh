#!/usr/bin/env bash
# Fetches a real MySQL server out of Debian's unstable suite into FOLDER (default target/mysql-peer) without installing anything: mysqld, its client, and
# with `--tests` MySQL's own test suite (340 MB), run with the libraries that belong to them. The oracle of `golden.py --mysql` and `differential_random.py
# --mysql`. Debian keeps only the newest release (9.7 in November 2026): where it differs from 8.4 the manual of 8.4 decides.
set -euo pipefail
tests=; [ "${1:-}" = --tests ] && { tests=1; shift; }
folder=$(realpath -m "${1:-$(dirname "$0")/../target/mysql-peer}")
mkdir -p "$folder"/{root,apt/state/lists/partial,apt/cache/archives/partial}
cd "$folder/apt"
touch status
# from where this machine's own apt takes Debian: the first source whose suite is not the security archive's
mirror=$(apt-get indextargets --format '$(REPO_URI) $(SUITE) $(ORIGIN)' 2>/dev/null | awk '$1 !~ /security/ && tolower($0) ~ /debian/ { print $1; exit }')
[ -n "$mirror" ] || { echo "apt on this machine knows no Debian mirror: 'apt-get update' first" >&2; exit 1; }
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main" > sources.list
apt=(apt-get -qq -o Dir::State="$PWD/state" -o Dir::State::status="$PWD/status" -o Dir::Cache="$PWD/cache" -o Dir::Etc::sourcelist="$PWD/sources.list"
     -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User=root)
"${apt[@]}" update
if [ ! -x "$folder/root/usr/sbin/mysqld" ]; then
  "${apt[@]}" install -y --no-install-recommends -d mysql-server-core mysql-client-core
  for package in cache/archives/*.deb; do dpkg-deb -x "$package" "$folder/root"; done
  rm -f cache/archives/*.deb
fi
if [ -n "$tests" ] && [ ! -d "$folder/root/usr/lib/mysql-test" ]; then
  (cd cache && "${apt[@]}" download mysql-testsuite && dpkg-deb -x mysql-testsuite_*.deb "$folder/root" && rm -f mysql-testsuite_*.deb)
fi
echo "$folder"
