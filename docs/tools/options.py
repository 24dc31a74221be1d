#!/usr/bin/env python3
"""Writes what is generated from the tables of options: docs/options.md (grouped, for readers) and packaging/evenkeel.1 (the manual page).

The tables are crates/catalog/src/sysvar/table.rs (system variables) and crates/server/src/options/others.rs (options that are no variables). Run it after a
change there; `--check` only tells whether both files are current (tests/clients/test_documents.py does that).
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "crates/catalog/src/sysvar/table.rs"
OTHERS = ROOT / "crates/server/src/options/others.rs"
PAGE = ROOT / "docs/options.md"
MAN = ROOT / "packaging/evenkeel.1"

# the first group whose expression matches a name has it; the last one takes the rest
GROUPS = [
    ("Start and files", r"^(datadir|tmpdir|socket|pid_file|core_file|init_file|basedir|lower_case.*|open_files_limit|persist.*|daemonize|initialize.*|"
                        r"user|validate_config|version|verbose|help|console|print_defaults|innodb_tmpdir|secure_file_priv|default_time_zone)$"),
    ("Connections", r"bind_address|^port$|admin_(address|port)|max_connections|max_user_connections|back_log|connect_timeout|^wait_timeout|interactive_timeout|"
                    r"net_|max_allowed_packet|skip_networking|offline_mode|init_connect|protocol_compression|thread_stack|slow_launch"),
    ("TLS, accounts and who may do what", r"ssl|tls_|certs|caching_sha2|password|mandatory_roles|activate_all_roles|partial_revokes|authentication|skip_grant|"
                                          r"require_secure|local_infile|skip_show_database|^read_only|super_read_only|print_identified|native"),
    ("InnoDB: memory, log and disk", r"^innodb_(buffer|redo|log_|flush|doublewrite|io_|max_dirty|max_undo|undo|old_blocks|fast_shutdown|force_|open_files|purge|"
                                     r"fill|dedicated|read_only|max_purge|page_size|file_per|checksum)"),
    ("InnoDB: locks, statistics and the rest", r"^innodb_"),
    ("Memory of statements", r"sort_buffer|join_buffer|tmp_table_size|max_heap|temptable|memory|select_into_buffer|large_page|locked_in"),
    ("Logs", r"log|long_query|min_examined|slow_query"),
    ("Transactions and limits of statements", r"autocommit|transaction|completion|lock_wait|max_execution|max_join|sql_big|sql_select_limit|sql_safe|cte_max|regexp_|"
                                              r"max_prepared|max_write_lock|foreign_key|restrict_fk|max_error|parser_max|auto_increment|updatable_views"),
    ("Optimizer", r"optimizer|eq_range|histogram|explain|end_markers"),
    ("SQL, character sets and time", r"sql_|character|collation|time_zone|lc_|default_|div_|group_concat|ft_|ngram|explicit|disabled_storage|block_encryption|event_s|"
                                     r"old_alter|show_|select_into|generated|sysdate|session_track|resultset|profiling"),
    ("Performance Schema", r"performance_schema|max_digest"),
    ("Others", r""),
]


def variables():
    text = TABLE.read_text()
    rows = re.findall(r'^    (\w+) (Global|Both|Session) (\w+) \((.*?)\) "((?:[^"\\]|\\.)*)" "(.*)";$', text, re.M)
    lists = {name: re.findall(r'"(.*?)"', body) for name, body in re.findall(r"const (\w+): &\[&str\] = &\[(.*?)\];", text, re.S)}
    for name, scope, flags, kind, default, doc in rows:
        yield {"name": name, "scope": scope, "option": flags in ("DO", "RO", "FX", "FR", "SRO"), "dynamic": flags in ("DO", "D_", "COD", "SRO"),
               "fixed": flags in ("FX", "FR"), "kind": kind, "default": default, "doc": doc.replace('\\"', '"'), "values": values(kind, lists)}


def size(n):
    """A bound as people write it."""
    for suffix, unit in (("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)):
        if n >= unit and n % unit == 0:
            return f"{n // unit}{suffix}"
    return str(n)


def number(word):
    word = word.strip().replace("_", "")
    known = {"u64::MAX": 2**64 - 1, "u32::MAX": 2**32 - 1, "i64::MAX": 2**63 - 1, "i64::MIN": -2**63, "i32::MAX": 2**31 - 1}
    if word in known:
        return known[word]
    if m := re.fullmatch(r"(\d+) *<< *(\d+)", word):
        return int(m[1]) << int(m[2])
    return int(word) if re.fullmatch(r"-?\d+", word) else None


def values(kind, lists):
    head, _, rest = kind.partition("(")
    if kind == "B":
        return "ON, OFF"
    if head in ("Enum", "Set", "FlagSet"):
        named = re.search(r"\b([A-Z_]{3,})\b", rest) if '"' not in rest else None
        names = lists.get(named[1], []) if named else re.findall(r'"(.*?)"', rest)
        return ", ".join(n for n in names if n)
    if head in ("U", "UB", "Kind::Int", "Int", "I"):
        bounds = [number(w) for w in rest.rstrip(")").split(",")]
        if len(bounds) >= 2 and None not in bounds[:2]:
            return f"{bounds[0]} to {size(bounds[1]) if bounds[1] < 2**63 - 1 else 'the largest number'}"
    return ""


def others():
    text = OTHERS.read_text()
    table = re.search(r"pub const TABLE: &\[Other\] = &\[(.*?)\n\];", text, re.S)[1]
    for name, takes, doc in re.findall(r'acts\(\s*"([^"]+)",\s*(\w+),\s*[^,]+,\s*"([^"]*)",?\s*\)', table, re.S):
        if doc:
            yield {"name": name, "takes": takes, "doc": doc}
    for body in re.findall(r"Other \{(.*?)\}", table, re.S):
        name, takes, doc = (re.search(rf'{field}: "?([^",]*)', body)[1] for field in ("name", "takes", "doc"))
        if doc:
            yield {"name": name, "takes": takes, "doc": doc}


def group_of(name):
    name = name.replace("-", "_")
    return next(title for title, pattern in GROUPS if re.search(pattern, name))


def collected():
    groups = {title: [] for title, _ in GROUPS}
    without, fixed = [], []
    for v in variables():
        if not v["option"]:
            continue
        if "ithout effect" in v["doc"]:
            without.append(v["name"])
        elif v["fixed"]:
            fixed.append(v)
        else:
            groups[group_of(v["name"])].append((v["name"].replace("_", "-"), v["doc"], v["default"], v["values"], "yes" if v["dynamic"] else "no"))
    for o in others():
        groups[group_of(o["name"])].append((o["name"], o["doc"], "", "", "no"))
    return {t: sorted(rows) for t, rows in groups.items() if rows}, without, fixed


def cell(text):
    return text.replace("|", "\\|")


def shown(default):
    return "" if default in ("", "NULL") else f"`{default}`"


def limited(text, most=70):
    return text if len(text) <= most else text[:most].rsplit(", ", 1)[0] + ", ..."


def page():
    groups, without, fixed = collected()
    out = ["# Options", "", "<!-- generated by docs/tools/options.py from the tables of options: do not edit -->", "",
           "Names are those of mysqld 8.4, with dashes or underscores. Numbers take the suffixes K, M, G, T, P and E. An option is given",
           "on the command line (`evenkeel serve --port=3307`) or in an option file:", "",
           "    [mysqld]", "    port = 3307", "    innodb_buffer_pool_size = 1G", "",
           "Option files are read in this order: `/etc/my.cnf`, `/etc/mysql/my.cnf`, `$MYSQL_HOME/my.cnf`, `~/.my.cnf`, from the groups",
           "`[mysqld]`, `[server]`, `[mysqld-8.4]` and `[evenkeel]`. The last value wins; the command line comes last.",
           "`--defaults-file=FILE` reads only that file, `--no-defaults` none. These two come first on the command line. `loose-` in",
           "front of a name turns an unknown option into a warning. `evenkeel serve --verbose --help` prints all options with the values",
           "they have now, `--validate-config` checks them without starting.", "",
           "*Changes with SET:* whether `SET GLOBAL name = value` (with underscores) changes it while the server runs. `SET PERSIST` also",
           "keeps it for later starts.", "",
           "Set these first: `--datadir`, `--socket`, `--port`, `--bind-address`, `--innodb-buffer-pool-size`,",
           "`--innodb-redo-log-capacity`, `--max-connections`.", ""]
    for title, rows in groups.items():
        out += [f"## {title}", "", "| option | meaning | default | values | changes with SET |", "|---|---|---|---|---|"]
        out += [f"| `--{n}` | {cell(d)} | {shown(default)} | {cell(limited(v))} | {dyn} |" for n, d, default, v, dyn in rows]
        out.append("")
    out += ["## Fixed", "", "Only the value shown is accepted; another one stops the start, or is a warning where nothing is lost.", "",
            "| option | meaning | value |", "|---|---|---|"]
    out += [f"| `--{v['name'].replace('_', '-')}` | {cell(v['doc'])} | {shown(v['default'])} |" for v in fixed]
    out += ["", "## Accepted without effect", "",
            f"{len(without)} options of mysqld are accepted and change nothing here, so that option files made for MySQL work. They are listed",
            "with all variables in [compatibility: variables](compat/variables.md).", ""]
    return "\n".join(out)


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def man():
    groups, _, fixed = collected()
    out = ['.\\" generated by docs/tools/options.py: do not edit', '.TH EVENKEEL 1 2026-11-26 "Evenkeel" "User Commands"', ".SH NAME",
           "evenkeel \\- a MySQL\\-compatible transactional SQL database server", ".SH SYNOPSIS", ".B evenkeel serve", ".RI [ OPTIONS ]", ".br",
           ".B evenkeel lab", '.IR EXPERIMENT " ... [" OPTIONS ]', ".br",
           ".B evenkeel backup", ".BI \\-\\-to= FOLDER", ".RI [ OPTIONS ]", ".br",
           ".B evenkeel restore", ".IR BACKUP ...", ".BI \\-\\-datadir= FOLDER", ".RI [ OPTIONS ]", ".br",
           ".B evenkeel \\-\\-version", ".SH DESCRIPTION",
           ".B evenkeel serve", "runs a database server that speaks MySQL 8.4's protocol and SQL. Clients of MySQL and MariaDB connect to it.",
           "Called by a link with the name", ".BR mysqld ,", "it takes the options alone, as mysqld does.", ".PP",
           "The first start makes the data directory with the account root@localhost, which has no password until it is given one. With",
           ".BR \\-\\-initialize ", "the directory is made, root gets a random password, which the error log tells, and the program ends.", ".PP",
           "Root has to say as whom the server runs:", ".BI \\-\\-user= NAME .", ".PP",
           ".B evenkeel backup", "copies a running server without a lock,", ".B evenkeel restore",
           "makes a data directory out of it, and goes on behind it along the binary log; both say their options with", ".BR \\-\\-help .", ".PP",
           ".B evenkeel lab", "measures servers:", ".BR \"evenkeel lab \\-\\-help\" .", ".SH OPTIONS",
           "Names are mysqld's, with dashes or underscores. Numbers take the suffixes K, M, G, T, P and E. These can only come first:", ".TP",
           ".B \\-\\-no\\-defaults", "Read no option file.", ".TP", ".BI \\-\\-defaults\\-file= FILE", "Read only this option file.", ".TP",
           ".BI \\-\\-defaults\\-extra\\-file= FILE", "Read this file after the global ones.", ".TP", ".BI \\-\\-defaults\\-group\\-suffix= TEXT",
           "Read also groups with this suffix."]
    for title, rows in groups.items():
        out += [f'.SS "{roff(title)}"']
        for n, d, default, v, dyn in rows:
            out += [".TP", f".B \\-\\-{roff(n)}", roff(d) + "."]
            facts = [f"Values: {limited(v)}."] if v else []
            facts += [f"Default: {default}."] if default not in ("", "NULL") else []
            facts += ["Can be changed with SET GLOBAL."] if dyn == "yes" else []
            out += [roff(" ".join(facts))] if facts else []
    out += [".SH SIGNALS", ".TP", ".B SIGTERM", "Stop cleanly.", ".TP", ".BR SIGHUP ,\\~ SIGUSR1",
            "Open the log files anew, so that they can be rotated.", ".SH ENVIRONMENT", ".TP", ".B MYSQL_HOME", "Folder of an option file.", ".TP", ".B TZ",
            "The time zone SYSTEM.", ".TP", ".B NOTIFY_SOCKET", "Where a service manager wants to hear of the start (see", ".BR sd_notify (3)).",
            ".SH FILES", ".TP", ".IR /etc/my.cnf , \\~/etc/mysql/my.cnf , \\~$MYSQL_HOME/my.cnf , \\~~/.my.cnf".replace(", \\~", ", "),
            "Option files; groups [mysqld], [server], [mysqld\\-8.4], [evenkeel].", ".SH EXIT STATUS",
            "0 after a clean end, 1 if the server could not start, 2 for a wrong command.", ".SH SEE ALSO", ".BR mysql (1),", ".BR mysqldump (1)", ""]
    return "\n".join(out)


def main():
    stale = []
    for path, text in ((PAGE, page()), (MAN, man())):
        if not path.exists() or path.read_text() != text:
            stale.append(path)
    if "--check" in sys.argv:
        sys.exit(f"run docs/tools/options.py: out of date are {', '.join(str(p.relative_to(ROOT)) for p in stale)}" if stale else 0)
    for path in stale:
        path.write_text(page() if path == PAGE else man())


if __name__ == "__main__":
    main()
