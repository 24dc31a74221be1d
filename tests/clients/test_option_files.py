"""Option files as they are found in packages, images, roles and charts start the server, and what they say holds; what cannot hold is told by name."""
import os
import pathlib
import subprocess

import pytest

from lib.servers import Server, binary

# Option names and values only, as the files of those packages set them where it matters; {d} is the test's folder.
UBUNTU = """
[mysqld]
user = {user}
bind-address = 127.0.0.1
mysqlx-bind-address = 127.0.0.1
key_buffer_size = 16M
thread_stack = 256K
thread_cache_size = -1
myisam-recover-options = BACKUP
max_connections = 151
table_open_cache = 4000
max_allowed_packet = 64M
general_log_file = {d}/query.log
general_log = 1
log_error = {d}/error.log
slow_query_log = 1
slow_query_log_file = {d}/slow.log
long_query_time = 2
log-queries-not-using-indexes
max_binlog_size = 100M
"""
HOMEBREW = """
[mysqld]
bind-address = 127.0.0.1
mysqlx-bind-address = 127.0.0.1
"""
DOCKER = """
[mysqld]
host-cache-size=0
skip-name-resolve
secure-file-priv={d}
user={user}
pid-file={d}/mysqld.pid

[client]
socket={d}/run.sock

!includedir {d}/conf.d/
"""
ANSIBLE = """
[client]
port = 3306
socket = {d}/run.sock
[mysqld]
bind-address = 0.0.0.0
pid-file = {d}/ansible.pid
skip-name-resolve
sql_mode = STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION
log-error = {d}/mysql.err
slow_query_log = 1
slow_query_log_file = {d}/mysql-slow.log
long_query_time = 2
symbolic-links = 0
user = {user}
;performance_schema
key_buffer_size = 256M
max_allowed_packet = 64M
table_open_cache = 256
sort_buffer_size = 1M
read_buffer_size = 1M
read_rnd_buffer_size = 4M
myisam_sort_buffer_size = 64M
thread_cache_size = 8
max_connections = 151
tmp_table_size = 16M
max_heap_table_size = 16M
group_concat_max_len = 1024
join_buffer_size = 262144
wait_timeout = 28800
lower_case_table_names = 0
event_scheduler = OFF
innodb_file_per_table = 1
innodb_buffer_pool_size = 256M
innodb_log_file_size = 64M
innodb_log_buffer_size = 8M
innodb_flush_log_at_trx_commit = 1
innodb_lock_wait_timeout = 50
[mysqldump]
quick
max_allowed_packet = 64M
[mysqld_safe]
pid-file = {d}/ansible.pid
"""
BITNAMI = """
[mysqld]
authentication_policy='* ,,'
skip-name-resolve
explicit_defaults_for_timestamp
basedir=/opt/bitnami/mysql
plugin_dir=/opt/bitnami/mysql/lib/plugin
mysqlx=0
mysqlx_port=33060
tmpdir={d}
max_allowed_packet=16M
bind-address=*
pid-file={d}/mysqld.pid
log-error={d}/mysqld.log
character-set-server=UTF8
slow_query_log=0
long_query_time=10.0
[client]
default-character-set=UTF8
plugin_dir=/opt/bitnami/mysql/lib/plugin
[manager]
pid-file={d}/mysqld.pid
[mariadb]
nonsense = of another server
[mysqld-5.7]
query_cache_size = 16M
"""
FILES = {
    "ubuntu": (UBUNTU, {"key_buffer_size": 16 << 20, "long_query_time": 2.0, "general_log": 1, "max_allowed_packet": 64 << 20, "log_queries_not_using_indexes": 1}),
    "homebrew": (HOMEBREW, {"bind_address": "127.0.0.1"}),
    "docker": (DOCKER, {"host_cache_size": 0, "skip_name_resolve": 1, "pid_file": "{d}/mysqld.pid", "max_connections": 33}),
    "ansible": (ANSIBLE, {"innodb_buffer_pool_size": 256 << 20, "sql_mode": "STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION", "wait_timeout": 28800, "innodb_redo_log_capacity": 128 << 20}),
    "bitnami": (BITNAMI, {"character_set_server": "utf8mb3", "slow_query_log": 0, "max_allowed_packet": 16 << 20, "query_cache_size": None}),
}


def owner():
    return "root" if os.geteuid() == 0 else __import__("getpass").getuser()


class FromFile(Server):
    """A server that is started with an option file and what only a test needs."""

    def command(self):
        own = ("--pid-file", "--user") if "\nuser" in (self.dir / "my.cnf").read_text() else ("--pid-file",)
        rest = [o for o in super().command()[3:] if not o.startswith(own)]
        return [binary(), "serve", f"--defaults-file={self.dir}/my.cnf", *rest]


@pytest.mark.parametrize("name", FILES)
def test_option_files_of_others(name, tmp_path):
    text, want = FILES[name]
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "conf.d/own.cnf").write_text("[mysqld]\nmax_connections = 33\n")
    (tmp_path / "my.cnf").write_text(text.format(d=tmp_path, user=owner()))
    s = FromFile(tmp_path).start()
    try:
        for variable, value in want.items():
            found = dict(s.query(f"SHOW GLOBAL VARIABLES LIKE '{variable}'"))
            if value is None:
                assert not found
                continue
            value = value.format(d=tmp_path) if isinstance(value, str) else value
            assert s.query(f"SELECT @@GLOBAL.{variable}") == ((value,),), variable
    finally:
        assert s.stop() == 0


def serve(*args, name=None, **kw):
    program = [name or binary(), *([] if name else ["serve"]), *args]
    return subprocess.run(program, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, **kw)


def test_everything_unknown_is_told_at_once(tmp_path):
    cnf = tmp_path / "my.cnf"
    cnf.write_text("[mysqld]\nmax_conections = 5\n\n[mysqld]\nkeyring_file_data = /x\ntx_isolation = SERIALIZABLE\n")
    for how in ([], ["--validate-config"]):
        r = serve(f"--defaults-file={cnf}", f"--datadir={tmp_path}/d", "--skip-netwroking", *how)
        assert r.returncode == 1, r.stderr
        for part in (f"{cnf}:2", "max_connections", f"{cnf}:5", "keyring", "loose-keyring-file-data", f"{cnf}:6", "transaction_isolation", "skip-netwroking"):
            assert part in r.stderr, (part, r.stderr)
        assert r.stderr.count("[ERROR]") == 5 and "Aborting" in r.stderr
    assert not (tmp_path / "d").exists()
    good = serve("--no-defaults", f"--datadir={tmp_path}/d", "--validate-config", "--mysqlx-port=1")
    assert good.returncode == 0 and "mysqlx-port" in good.stderr and not (tmp_path / "d").exists()


def test_what_only_prints(tmp_path):
    cnf = tmp_path / "my.cnf"
    cnf.write_text(f"[mysqld]\nnonsense\ndatadir = {tmp_path}/somewhere\nmax_connections = 12\n[mysqld-9.0]\nmax_connections = 13\n")
    file = f"--defaults-file={cnf}"
    r = serve(file, "--version")
    assert r.returncode == 0 and "Ver 8.4" in r.stdout and r.stderr == ""
    r = serve(file, "--print-defaults")
    assert r.returncode == 0 and "--nonsense --datadir" in r.stdout and "max_connections=13" not in r.stdout
    r = serve(file, "--help")
    assert r.returncode == 0 and "Usage" in r.stdout
    r = serve(file, "--verbose", "--help", "--log-bin-index=/tmp/x")
    assert r.returncode == 0 and "nonsense" in r.stderr
    rows = dict(line.split(None, 1) for line in r.stdout.split("--- ---")[-1].splitlines() if len(line.split(None, 1)) == 2)
    assert rows["datadir"] == f"{tmp_path}/somewhere/" and rows["max-connections"] == "12" and rows["log-bin-index"] == "/tmp/x"
    assert rows["secure-file-priv"] == "NULL" and rows["skip-networking"] == "FALSE"
    assert not (tmp_path / "somewhere").exists()


def test_a_file_that_anybody_may_write_is_ignored(tmp_path):
    cnf = tmp_path / "my.cnf"
    cnf.write_text("[mysqld]\nmax_connections = 12\n")
    cnf.chmod(0o666)
    r = serve(f"--defaults-file={cnf}", "--validate-config")
    assert "World-writable" in r.stderr
    r = serve(f"--defaults-file={cnf}", "--verbose", "--help")
    assert "max-connections".ljust(60) + " 151" in r.stdout


def test_the_name_mysqld(tmp_path):
    link = tmp_path / "mysqld"
    link.symlink_to(pathlib.Path(binary()).resolve())
    r = serve("--no-defaults", "--version", name=str(link))
    assert r.returncode == 0 and f"{link}  Ver 8.4" in r.stdout
    r = serve("--no-defaults", "--nonsense=1", name=str(link))
    assert r.returncode == 1 and "unknown variable 'nonsense=1'" in r.stderr
    r = subprocess.run([binary(), "--port=3307"], capture_output=True, text=True)
    assert r.returncode == 2 and "evenkeel serve --port=3307" in r.stderr
