#!/bin/bash
# What a container of Evenkeel runs: makes the data directory at the first start, with the accounts and the database that the environment names, applies
# /docker-entrypoint-initdb.d, and becomes the server. The variables are those of MySQL's image; each may end in _FILE and name a file that holds the value.
#
#   MYSQL_ROOT_PASSWORD, MYSQL_RANDOM_ROOT_PASSWORD=yes, MYSQL_ALLOW_EMPTY_PASSWORD=yes   one of them must be there at the first start
#   MYSQL_ROOT_HOST        where root may come from besides this container (default %; "localhost": from nowhere else)
#   MYSQL_DATABASE         a database to make;  MYSQL_USER, MYSQL_PASSWORD   an account with all rights on it
#
# Arguments that begin with a dash are options of the server; another first argument is a program to run instead.
# Tested: tests/clients/test_entrypoint.py, packaging/container/check.sh.
set -eo pipefail
shopt -s nullglob

initdb=${EVENKEEL_INITDB:-/docker-entrypoint-initdb.d}

say() { printf '%s [Entrypoint] %s\n' "$(date --utc +%Y-%m-%dT%H:%M:%SZ)" "$*" >&2; }
fail() { say "ERROR: $*"; exit 1; }

# read_variable NAME [DEFAULT]: from NAME, or from the file that NAME_FILE names
read_variable() {
  local name=$1 file=${1}_FILE value=${2:-}
  if [ -n "${!name:-}" ] && [ -n "${!file:-}" ]; then fail "$name and $file are both set: set one of them"; fi
  if [ -n "${!name:-}" ]; then
    value=${!name}
  elif [ -n "${!file:-}" ]; then
    [ -r "${!file}" ] || fail "$file: '${!file}' cannot be read"
    value=$(< "${!file}")
  fi
  printf -v "$name" %s "$value"
  unset "$file"
  # the server and the scripts that it does not concern need not see it
  export -n "${name?}"
}

# settings of the server as the options and option files give them
setting() { "${server[@]}" --verbose --help 2>/dev/null | awk -v name="$1" '$1 == name && /^[^ \t]/ { sub(/^[^ \t]+[ \t]+/, ""); print; exit }'; }

text() { local s=${1//\\/\\\\}; printf "'%s'" "${s//\'/\'\'}"; }
name() { printf '`%s`' "${1//\`/\`\`}"; }

# sql [OPTION...]: statements from standard input, as root
sql() { MYSQL_PWD=$MYSQL_ROOT_PASSWORD "$client" --no-defaults --protocol=socket --socket="$socket" --user=root --comments "$@"; }

start_temporary() {
  say "starting a temporary server"
  "${server[@]}" --daemonize --skip-networking --pid-file="$pid_file" || fail "the temporary server did not start"
}

stop_temporary() {
  [ -s "$pid_file" ] || return 0
  local pid
  pid=$(< "$pid_file")
  kill "$pid" 2>/dev/null || return 0
  while kill -0 "$pid" 2>/dev/null && [ "$(awk '{ print $3 }' "/proc/$pid/stat" 2>/dev/null)" != Z ]; do sleep 0.05; done
}

# of a client's complaint only the error: it would print the statement, with the password in it
errors_only() { grep '^ERROR' >&2 || true; }

make_accounts() {
  # at the temporary server root has no password yet
  local password=$MYSQL_ROOT_PASSWORD
  MYSQL_ROOT_PASSWORD=
  {
    if [ -n "$password" ]; then
      [ "$MYSQL_ROOT_HOST" = localhost ] || {
        echo "CREATE USER 'root'@$(text "$MYSQL_ROOT_HOST") IDENTIFIED BY $(text "$password");"
        echo "GRANT ALL ON *.* TO 'root'@$(text "$MYSQL_ROOT_HOST") WITH GRANT OPTION;"
      }
      echo "ALTER USER 'root'@'localhost' IDENTIFIED BY $(text "$password");"
    fi
  } | sql 2> >(errors_only)
  MYSQL_ROOT_PASSWORD=$password
  {
    [ -z "$MYSQL_DATABASE" ] || echo "CREATE DATABASE IF NOT EXISTS $(name "$MYSQL_DATABASE");"
    if [ -n "$MYSQL_USER" ]; then
      echo "CREATE USER $(text "$MYSQL_USER")@'%' IDENTIFIED BY $(text "$MYSQL_PASSWORD");"
      local pattern=${MYSQL_DATABASE//\\/\\\\}
      pattern=${pattern//_/\\_}
      [ -z "$MYSQL_DATABASE" ] || echo "GRANT ALL ON $(name "${pattern//%/\\%}").* TO $(text "$MYSQL_USER")@'%';"
    fi
  } | sql 2> >(errors_only)
}

apply_files() {
  local f
  local -a into=()
  [ -z "$MYSQL_DATABASE" ] || into=(--database="$MYSQL_DATABASE")
  for f in "$initdb"/*; do
    case $f in
      *.sh)
        say "running $f"
        if [ -x "$f" ]; then "$f"; else . "$f"; fi ;;
      *.sql) say "applying $f"; sql "${into[@]}" < "$f" ;;
      *.sql.gz) say "applying $f"; gzip -dc "$f" | sql "${into[@]}" ;;
      *.sql.zst) say "applying $f"; zstd -dcq "$f" | sql "${into[@]}" ;;
      *) say "not looked at: $f" ;;
    esac || fail "$f failed: empty the volume before the next try"
  done
}

check_variables() {
  read_variable MYSQL_ROOT_PASSWORD
  read_variable MYSQL_ALLOW_EMPTY_PASSWORD
  read_variable MYSQL_RANDOM_ROOT_PASSWORD
  read_variable MYSQL_ROOT_HOST
  read_variable MYSQL_DATABASE
  read_variable MYSQL_USER
  read_variable MYSQL_PASSWORD
  local given=0
  for value in "$MYSQL_ROOT_PASSWORD" "$MYSQL_ALLOW_EMPTY_PASSWORD" "$MYSQL_RANDOM_ROOT_PASSWORD"; do [ -z "$value" ] || given=$((given + 1)); done
  [ $given = 1 ] || fail "the first start needs one of MYSQL_ROOT_PASSWORD, MYSQL_RANDOM_ROOT_PASSWORD, MYSQL_ALLOW_EMPTY_PASSWORD"
  if [ -n "$MYSQL_ALLOW_EMPTY_PASSWORD" ]; then
    # the server does not listen to others while an account without a password could come from there
    [ "${MYSQL_ROOT_HOST:-localhost}" = localhost ] || fail "MYSQL_ROOT_HOST: a root without a password may come from this container only"
    say "WARNING: root has no password and can log in from inside this container only"
  fi
  MYSQL_ROOT_HOST=${MYSQL_ROOT_HOST:-%}
  [ "$MYSQL_USER" != root ] || fail "MYSQL_USER: root is there already; MYSQL_ROOT_PASSWORD is its password"
  if [ -n "$MYSQL_USER" ]; then
    [ -n "$MYSQL_PASSWORD" ] || fail "MYSQL_USER needs MYSQL_PASSWORD"
  elif [ -n "$MYSQL_PASSWORD" ]; then
    fail "MYSQL_PASSWORD needs MYSQL_USER"
  fi
  if [ -n "$MYSQL_RANDOM_ROOT_PASSWORD" ]; then
    MYSQL_ROOT_PASSWORD=$(head -c 24 /dev/urandom | base64)
    say "GENERATED ROOT PASSWORD: $MYSQL_ROOT_PASSWORD"
  fi
}

first_start() {
  check_variables
  client=$(command -v mysql || command -v mariadb) || fail "there is no client (mysql or mariadb)"
  # a first start that was cut short leaves this file, whose name the server does not take for a database
  : > "$datadir/.first-start"
  say "making the data directory"
  "${server[@]}" --initialize-insecure || fail "the data directory cannot be made"
  trap 'exit 143' TERM INT
  trap stop_temporary EXIT
  start_temporary
  make_accounts
  apply_files
  say "stopping the temporary server"
  stop_temporary
  trap - TERM INT EXIT
  rm "$datadir/.first-start"
}

main() {
  case ${1:-} in
    '' | -*) set -- evenkeel serve "$@" ;;
  esac
  case "$1 ${2:-}" in
    'evenkeel serve'* | mysqld*) ;;
    *) exec "$@" ;;
  esac
  local argument user=
  for argument; do
    case $argument in
      --help | --version | -V | '-?' | --print-defaults | --validate-config | --initialize*) exec "$@" ;;
      --user=*) user=${argument#*=} ;;
    esac
  done
  server=("$@")
  "$@" --validate-config || fail "the server does not take its options"
  datadir=$(setting datadir)
  socket=$(setting socket)
  pid_file=$(setting pid-file)
  if [ "$(id -u)" = 0 ] && [ -z "$user" ]; then
    mkdir -p "$datadir" "$(dirname "$socket")"
    find "$datadir" "$(dirname "$socket")" \! -user evenkeel -exec chown evenkeel: '{}' +
    chmod 755 "$(dirname "$socket")"
    # root's option file is not for others
    export HOME=$datadir
    exec setpriv --reuid=evenkeel --regid=evenkeel --init-groups -- "$0" "$@"
  fi
  mkdir -p "$datadir"
  [ ! -e "$datadir/.first-start" ] || fail "an earlier first start in '$datadir' was cut short: empty the volume and start again"
  if [ ! -d "$datadir/mysql" ]; then first_start; fi
  for argument in ROOT_PASSWORD ALLOW_EMPTY_PASSWORD RANDOM_ROOT_PASSWORD ROOT_HOST DATABASE USER PASSWORD; do
    unset "MYSQL_$argument" "MYSQL_${argument}_FILE"
  done
  exec "$@"
}

main "$@"
