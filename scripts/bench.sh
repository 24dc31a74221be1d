#!/usr/bin/env bash
# Evenkeel against MariaDB (and MySQL, and a null server) under sysbench, in turns, on the same machine and disk. See docs/performance.md.
#
#   scripts/bench.sh [--dir DIR] [--workloads a,b] [--threads 1,8,64,1024] [--tables 8] [--size 100000] [--seconds 8] [--rounds 3]
#                    [--pool 2G] [--ps-mode disable|auto] [--json FILE] [--no-build] [--no-mariadb] [--keep]
#
# Both servers get the same durability (every commit synced), the same pool, O_DIRECT, a 1 GiB redo log, no binary log and TCP on loopback
# only; sysbench uses the Unix sockets. Everything lives in DIR (default: a new folder under ${TMPDIR:-/var/tmp}, removed at the end
# unless --keep; put it on the disk that shall be measured: a tmpfs has no O_DIRECT and no fsync).
#
#   EVENKEEL=path      the binary to measure instead of building target/release/evenkeel
#   EVENKEEL_ARGS=...  more options for it           MARIADB_ARGS=...  more options for MariaDB    MYSQL_ARGS=... for MySQL
#   EVENKEEL_MYSQL=folder   a real MySQL as third server, fetched by scripts/mysql-peer.sh
#   FLOOR=path         a null server: called as `$FLOOR threads SOCKET`, answers every SELECT with one canned row; takes part in reads
#   NULL_COMMITS=1     a null server that makes one O_DIRECT write and fdatasync for each batch of commits; takes part in writes
set -euo pipefail
cd "$(dirname "$0")/.."

dir= workloads=oltp_point_select,oltp_read_only,oltp_read_write,oltp_update_index,oltp_update_non_index,oltp_insert,oltp_write_only
threads=1,8,64,1024 tables=8 size=100000 seconds=8 rounds=3 pool=2G ps_mode=disable json= build=1 mariadb=1 keep=
while [ $# -gt 0 ]; do
  case $1 in
  --dir) dir=$2; shift 2 ;;
  --workloads | --workload) workloads=$2; shift 2 ;;
  --threads) threads=$2; shift 2 ;;
  --tables) tables=$2; shift 2 ;;
  --size) size=$2; shift 2 ;;
  --seconds) seconds=$2; shift 2 ;;
  --rounds) rounds=$2; shift 2 ;;
  --pool) pool=$2; shift 2 ;;
  --ps-mode) ps_mode=$2; shift 2 ;;
  --json) json=$2; shift 2 ;;
  --no-build) build=; shift ;;
  --no-mariadb) mariadb=; shift ;;
  --keep) keep=1; shift ;;
  -h | --help) sed -n '2,/^set -euo/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
  *) echo "bench.sh: unknown option $1 (see --help)" >&2; exit 2 ;;
  esac
done

for tool in sysbench mariadb-admin; do
  command -v "$tool" >/dev/null || { echo "bench.sh: $tool is missing; run scripts/deps.sh all" >&2; exit 1; }
done
binary=${EVENKEEL:-target/release/evenkeel}
[ -z "$build" ] || [ -n "${EVENKEEL:-}" ] || make build >&2
[ -x "$binary" ] || { echo "bench.sh: no binary at $binary" >&2; exit 1; }

made=
if [ -z "$dir" ]; then
  dir=$(mktemp -d "${TMPDIR:-/var/tmp}/ek-bench.XXXXXX"); made=1
fi
mkdir -p "$dir"; dir=$(realpath "$dir"); chmod 755 "$dir"

pids=()
stop_all() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do
    for _ in $(seq 300); do kill -0 "$pid" 2>/dev/null || break; sleep 0.2; done
    wait "$pid" 2>/dev/null || true
  done
  [ -z "$made" ] || [ -n "$keep" ] || rm -rf "$dir"
}
trap stop_all EXIT
trap 'exit 130' INT TERM

# waits until the server on a socket answers: wait_for NAME SOCKET PID LOG
wait_for() {
  for _ in $(seq 600); do
    mariadb-admin --no-defaults -uroot -S "$2" ping >/dev/null 2>&1 && return
    kill -0 "$3" 2>/dev/null || break
    sleep 0.1
  done
  echo "bench.sh: $1 does not answer; the end of its log:" >&2; tail -n 20 "$4" >&2; exit 1
}

ours=$dir/evenkeel; mkdir -p "$ours"
"$binary" serve --no-defaults --skip-log-bin --user="$(id -un)" --datadir="$ours/data" --socket="$ours/run.sock" --port=0 --bind-address=127.0.0.1 \
  --pid-file="$ours/run.pid" --max-connections=11000 --max-prepared-stmt-count=1000000 --innodb-flush-log-at-trx-commit=1 \
  --innodb-redo-log-capacity=1G --innodb-buffer-pool-size="$pool" ${EVENKEEL_ARGS:-} >"$ours/log" 2>&1 </dev/null &
pid=$!; pids+=("$pid")
wait_for evenkeel "$ours/run.sock" "$pid" "$ours/log"
servers=("evenkeel=$ours/run.sock:$pid")
mariadb --no-defaults -uroot -S "$ours/run.sock" -e 'CREATE DATABASE IF NOT EXISTS sbtest'

if [ -n "$mariadb" ]; then
  mariadbd=$(command -v mariadbd || echo /usr/sbin/mariadbd)
  [ -x "$mariadbd" ] || { echo "bench.sh: mariadbd is missing; run scripts/deps.sh all (or use --no-mariadb)" >&2; exit 1; }
  theirs=$dir/mariadb; mkdir -p "$theirs/data"
  as=(); if [ "$(id -u)" = 0 ]; then chown -R mysql "$theirs"; as=(--user=mysql); fi
  [ -d "$theirs/data/mysql" ] || mariadb-install-db --no-defaults "${as[@]}" --datadir="$theirs/data" \
    --auth-root-authentication-method=normal >"$theirs/install.log" 2>&1
  "$mariadbd" --no-defaults "${as[@]}" --datadir="$theirs/data" --socket="$theirs/run.sock" --skip-networking --pid-file="$theirs/run.pid" \
    --max-connections=11000 --max-prepared-stmt-count=1000000 --skip-name-resolve --skip-log-bin --innodb-flush-method=O_DIRECT \
    --innodb-flush-log-at-trx-commit=1 --innodb-log-file-size=1G --innodb-buffer-pool-size="$pool" ${MARIADB_ARGS:-} \
    >"$theirs/log" 2>&1 </dev/null &
  pid=$!; pids+=("$pid")
  wait_for mariadb "$theirs/run.sock" "$pid" "$theirs/log"
  servers+=("mariadb=$theirs/run.sock:$pid")
  mariadb --no-defaults -uroot -S "$theirs/run.sock" -e 'CREATE DATABASE IF NOT EXISTS sbtest'
fi

if [ -n "${EVENKEEL_MYSQL:-}" ]; then
  root=$EVENKEEL_MYSQL/root; third=$dir/mysql; mkdir -p "$third"
  mysqld=("$root/usr/lib64/ld-linux-x86-64.so.2" --library-path "$root/usr/lib/x86_64-linux-gnu" "$root/usr/sbin/mysqld" --no-defaults --user=root
    --datadir="$third/data" --lc-messages-dir="$root/usr/share/mysql" --character-sets-dir="$root/usr/share/mysql/charsets")
  [ -d "$third/data" ] || "${mysqld[@]}" --initialize-insecure >"$third/install.log" 2>&1
  "${mysqld[@]}" --socket="$third/run.sock" --skip-networking --mysqlx=OFF --secure-file-priv= --pid-file="$third/run.pid" --max-connections=11000 \
    --max-prepared-stmt-count=1000000 --skip-name-resolve --skip-log-bin --innodb-flush-method=O_DIRECT --innodb-flush-log-at-trx-commit=1 \
    --innodb-redo-log-capacity=1G --innodb-buffer-pool-size="$pool" ${MYSQL_ARGS:-} >"$third/log" 2>&1 </dev/null &
  pid=$!; pids+=("$pid")
  wait_for mysql "$third/run.sock" "$pid" "$third/log"
  servers+=("mysql=$third/run.sock:$pid")
  mariadb --no-defaults -uroot -S "$third/run.sock" -e 'CREATE DATABASE IF NOT EXISTS sbtest'
fi

null=()
if [ -n "${FLOOR:-}" ]; then
  "$FLOOR" threads "$dir/floor.sock" >"$dir/floor.log" 2>&1 </dev/null &
  pid=$!; pids+=("$pid")
  for _ in $(seq 50); do [ -S "$dir/floor.sock" ] && break; sleep 0.1; done
  [ -S "$dir/floor.sock" ] || { echo "bench.sh: the null server made no socket" >&2; exit 1; }
  servers+=("floor=$dir/floor.sock:$pid"); null+=(--only-reads floor)
fi
if [ -n "${NULL_COMMITS:-}" ]; then
  rustc -O -o "$dir/null_commits" scripts/null_commits.rs
  "$dir/null_commits" "$dir/null.sock" "$dir/null.file" >"$dir/null.log" 2>&1 </dev/null &
  pid=$!; pids+=("$pid")
  for _ in $(seq 100); do [ -S "$dir/null.sock" ] && break; sleep 0.1; done
  [ -S "$dir/null.sock" ] || { echo "bench.sh: the null server of commits made no socket" >&2; exit 1; }
  servers+=("null=$dir/null.sock:$pid"); null+=(--only-writes null)
fi

echo "# $(date -u +%FT%TZ) $("$binary" --version); $(nproc) CPUs; $dir on $(stat -f -c %T "$dir"); pool $pool; $tables tables x $size rows;" \
  "ps-mode $ps_mode; $rounds rounds of $seconds s; commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
ulimit -n "$(ulimit -Hn)" 2>/dev/null || true
python3 scripts/versus.py "${servers[@]}" "${null[@]}" --prepare --keep-going --workloads "$workloads" --threads "$threads" \
  --tables "$tables" --size "$size" --seconds "$seconds" --rounds "$rounds" --ps-mode "$ps_mode" ${json:+--json "$json"}
