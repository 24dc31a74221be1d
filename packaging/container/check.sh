#!/usr/bin/env bash
# Tries the image localhost/evenkeel as a user would: a first start on an empty volume with scripts, SIGTERM, a second start, the healthcheck. `make image-check`.
#   check.sh            with buildah (chroot isolation, storage driver vfs: no container engine is needed, nor any right beyond root's)
#   check.sh chroot     without buildah: target/image/rootfs.tar and the binary in a chroot with a process namespace of its own, so that the server is PID 1
set -euo pipefail
cd "$(dirname "$0")/../.."
how=${1:-buildah}
work=$(mktemp -d /tmp/evenkeel-image.XXXXXX)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
mkdir "$work/volume" "$work/initdb"
echo "CREATE TABLE t (a INT); INSERT INTO t VALUES (1), (2);" > "$work/initdb/1.sql"
echo "INSERT INTO t VALUES (3);" | gzip > "$work/initdb/2.sql.gz"
echo "INSERT INTO t VALUES (4);" | zstd -q > "$work/initdb/3.sql.zst"
echo 'sql --database="$MYSQL_DATABASE" <<< "INSERT INTO t VALUES (5)"' > "$work/initdb/4.sh"
pid=
stores="buildah --storage-driver vfs"

if [ "$how" = buildah ]; then
  container=$($stores from --pull-never localhost/evenkeel)
  trap '[ -z "$pid" ] || kill -9 $(server) $pid 2>/dev/null || true; $stores rm "$container" >/dev/null; rm -rf "$work"' EXIT
  inside() { $stores run --isolation chroot --volume "$work/volume:/volume" --volume "$work/initdb:/docker-entrypoint-initdb.d" "${variables[@]}" "$container" -- "$@"; }
  # buildah's run does not take the image's entrypoint, and lays a folder of its own over the image's volume: the data lie elsewhere here
  start() { inside /usr/local/bin/entrypoint.sh --port="$port" --datadir=/volume > "$work/log" 2>&1 & pid=$!; }
  server() { pgrep -f "evenkeel serve --port=$port"; }
else
  root=$work/root
  mkdir "$root" && tar -xf target/image/rootfs.tar -C "$root"
  install -m755 "${EVENKEEL:-target/release/evenkeel}" "$root/usr/bin/evenkeel"
  install -m755 packaging/container/{entrypoint,healthcheck}.sh "$root/usr/local/bin/"
  cp packaging/container/my.cnf "$root/etc/my.cnf"
  trap '[ -z "$pid" ] || kill -9 $pid 2>/dev/null || true; sleep 0.2; umount -q "$root/var/lib/mysql" "$root/docker-entrypoint-initdb.d" "$root/proc" 2>/dev/null || true; rm -rf "$work"' EXIT
  mount --bind "$work/volume" "$root/var/lib/mysql"
  mount --bind "$work/initdb" "$root/docker-entrypoint-initdb.d"
  start() { env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/bin "${settings[@]}" unshare --pid --fork --kill-child --mount-proc="$root/proc" chroot "$root" /usr/local/bin/entrypoint.sh --port="$port" > "$work/log" 2>&1 & pid=$!; }
  inside() { chroot "$root" "$@"; }
  server() { pgrep -f "evenkeel serve --port=$port" | tail -1; }
fi

settings=(MYSQL_ROOT_PASSWORD=secret MYSQL_DATABASE=shop MYSQL_USER=app MYSQL_PASSWORD=pw)
variables=(); for s in "${settings[@]}"; do variables+=(--env "$s"); done
ask() { inside mysql --no-defaults -h 127.0.0.1 -P "$port" -u app -ppw -N -B shop -e "$1" 2>/dev/null; }
healthy() { inside /usr/local/bin/healthcheck.sh "$port" 2>/dev/null; }
wait_for() { for _ in $(seq 600); do healthy && return; kill -0 $pid 2>/dev/null || break; sleep 0.1; done; cat "$work/log"; echo "FAILED: not ready"; exit 1; }
check() { if [ "$2" = "$3" ]; then echo "ok: $1"; else echo "FAILED: $1: $2 instead of $3"; cat "$work/log"; exit 1; fi; }

start; wait_for
check "four files of initdb.d were applied" "$(ask 'SELECT GROUP_CONCAT(a ORDER BY a) FROM t')" 1,2,3,4,5
check "the server runs as evenkeel" "$(ps -o uid= -p "$(server | head -1)" | tr -d ' ')" 999
kill -TERM "$(server | head -1)"; code=0; wait $pid || code=$?
check "SIGTERM ended it cleanly" "$code $(grep -c 'Shutdown complete' "$work/log")" "0 2"
pid=
start; wait_for
check "the second start has the rows" "$(ask 'SELECT COUNT(*) FROM t')" 5
check "and made nothing anew" "$(grep -c 'making the data directory' "$work/log" || true)" 0
kill -TERM "$(server | head -1)"; code=0; wait $pid || code=$?
check "SIGTERM ended it cleanly" "$code" 0
pid=
