#!/usr/bin/env python3
"""Chooses the files of mysqltest.list by a written rule, out of the .test and recorded .result files alone (no result of ours is looked at).

    tests/suites/mysqltest_choice.py [--show NAME ...] [--peer] [--write]

The rule, for every main/*.test of mariadb-test-data:

1. It needs no option of the server (no NAME.opt, -master.opt, .cnf, .combinations) and nothing that a plain server lacks (`NEEDS` below: debug builds, plugins,
   replication, restarts, partitions, the character sets ucs2, utf16 and utf32, which are none of the issue's) and takes no variable of mysqltest from MariaDB's
   information_schema.global_variables; it makes no account by GRANT ... IDENTIFIED BY, which MySQL 8 does not have (everything after it would fail).
2. Of the lines of its recorded result at most one in twenty belongs to a statement out of the measure's scope. Out of scope is what issue 3 leaves to a later
   issue (stored programs, events, partitions, fine-grained privileges), what it excludes (spatial, XML, replication) and what only MariaDB has (`OUT` below).
   A statement is also out of scope when it names a table, view or routine that such a statement made: without the one the other has nothing to work on.
   A line of output belongs to the statement before it.
3. The measure of mysqltest.py gives at least 99 % for a real MariaDB (InnoDB as default engine): what does not even repeat there measures nothing.

Of the files that pass 1 to 3 those that stood in the list stay; it is filled up to 150 in the order of the MD5 of the names, so that the rest of the suite
stays unseen, with files of at most 1,000 lines, so that no newcomer decides the figure. A file never goes because it fails on Evenkeel. `--write` writes the list (`--peer` first runs rule 3, some minutes, and remembers in the cache).
"""
import argparse
import concurrent.futures
import hashlib
import json
import re

from common import cache
from mysqltest import LIST, SUITE, one, read_list, statement_lines, template, texts

WANTED = 150
SHARE = 0.05
NEEDS = re.compile(r"^\s*(?:--)?\s*source\s+include/(have_debug|have_partition|have_plugin|have_sequence|have_perfschema|have_archive|have_federated|have_example|have_csv|have_blackhole|have_cassandra|"
                   r"have_xtradb|have_binlog|have_log_bin|master-slave|restart_mysqld|wait_until|shutdown_mysqld|kill_mysqld|start_mysqld|big_test|have_ssl|have_aria|have_sphinx|have_maria|"
                   r"have_geometry|have_profiling|have_query_cache|have_simple_parser|long_test|default_charset|have_connect|is_embedded|have_case_insensitive|have_lowercase|have_32bit|"
                   r"have_ucs2|have_utf16|have_utf32|have_utf16le|have_windows|windows|valgrind|have_valgrind|have_nodebug_x|have_dlopen|have_udf|rpl_|have_stat_tables|have_innodb_\w+|have_file_key|have_metadata_lock)", re.M | re.I)
FUNCTIONS = ("column_(?:create|add|delete|get|json|list|check|exists)|json_(?:detailed|compact|loose|equals|query|exists|normalize|overlaps_x)|sformat|to_char|median|percentile_(?:cont|disc)|decode_oracle|"
             "add_months|chr|nvl2?|natural_sort_key|lastval|nextval|setval|crc32c|decode_histogram|des_(?:en|de)crypt|encode|decode|encrypt|password|old_password|benchmark_x|master_\\w+_wait|binlog_gtid_pos")
# what is out of scope, by area; a statement counts when one of these matches
OUT = {
    "stored programs": r"^(create|drop|alter)\s+(or\s+replace\s+)?(definer\s*=\s*\S+\s+)?(aggregate\s+)?(procedure|function|trigger|event|package)\b|^show\s+(create\s+)?(procedure|function|trigger|triggers|event|events)\b|^call\b|"
                       r"^(signal|resignal|get\s+(current\s+|stacked\s+)?diagnostics)\b|^begin\s+not\s+atomic|information_schema\.(routines|parameters|triggers|events)\b|\bevent_scheduler\b",
    "partitions": r"\bpartition\s+by\s+(linear\s+)?(hash|key|range|list|system_time)\b|\b(add|drop|truncate|coalesce|reorganize|exchange|remove|rebuild|analyze|check|optimize|repair)\s+partition",
    "privileges": r"^(create|drop|set)\s+(default\s+)?role\b|^set\s+default\s+role|\bcurrent_role\b|^grant\s+[^(]*\([^)]*\)\s+on\b|^revoke\s+[^(]*\([^)]*\)\s+on\b|^(grant|revoke)\b.*\bon\s+(procedure|function)\b",
    "spatial": r"\b(geometry|geometrycollection|linestring|multi(point|linestring|polygon)|polygon)\b|\bst_\w+\s*\(|\b(spatial|geomfromtext|astext|geometryfromwkb|linestringfromwkb|linefromtext|pointfromtext|polygonfromtext|geomfromwkb|asbinary|asText)\b|\bpoint\s*(\(|not\b|null\b|,)",
    "XML": r"\b(extractvalue|updatexml)\s*\(|^load\s+xml",
    "replication": r"^(show|change|start|stop|reset)\s+(all\s+)?(master|slave|slaves|binary\s+logs?|binlog|relaylog|replica)\b|^purge\s+binary|\bbinlog_format\b|\bgtid_\w+",
    "statements of MariaDB": r"\binformation_schema\.optimizer_trace\b|\boptimizer_trace\s*=|\bcycle\s+[\w,`\s]+\s+restrict\b|"
                             r"^grant\b.*\bidentified\s+by|\binformation_schema\.(global|session)_(variables|status)\b|"
                             r"\bgroup\s+by\s+(?:(?!order\s+by|\().)*?\b(?:asc|desc)\b|\byear\s*\(\s*[1-3]\s*\)\s*(?!from)(not\b|default\b|null\b|unsigned|zerofill|[,)])|^set\s+statement\b|\breturning\b|^(create|drop|alter|show\s+create)\s+(or\s+replace\s+)?(temporary\s+)?sequence\b|\b(next|previous)\s+value\s+for\b|\bseq_\d+_to_\d+|^analyze\s+(format|select|update|delete|insert|replace|with)|"
                             r"^(explain|desc|describe)\s+(extended\s+)?format\s*=\s*json|\bprocedure\s+analyse\b|^create\s+or\s+replace\s+(temporary\s+)?(table|database|schema|user|role|index|server)|system\s+versioning|\bfor\s+system_time\b|"
                             r"^execute\s+immediate|^prepare\s+\w+\s+from\s+concat|^alter\s+(online\s+|ignore\s+)+table|^alter\s+table\s+if\s+exists|\b(add|drop|modify|change|rename)\s+(column\s+|index\s+|key\s+|foreign\s+key\s+|constraint\s+)?if\s+(not\s+)?exists|"
                             r"^(create|drop)\s+(unique\s+)?index\s+if\s|^kill\s+(soft|hard|query\s+id)|\bsql_mode\b.*\b(oracle|mssql|db2|postgresql|maxdb|mysql323|mysql40|no_field_options|no_key_options|no_table_options|no_auto_create_user|ignore_bad_table_options|simultaneous_assignment|empty_string_is_null|time_round_fractional)\b|"
                             r"\b(inet4|inet6|uuid)\s+(not\s+)?(null|default|primary|unique|,|\))|without\s+overlaps|\brow_count_x|^show\s+(explain|analyze|index_statistics|user_statistics|client_statistics|table_statistics|all\s+slaves|package|locales|authors|contributors|plugins\s+soname)|^(un)?install\b|"
                             r"\bfetch\s+(first|next)\b.*\brows?\b|^(lock\s+tables|alter\s+table|drop\s+table|create\s+index|optimize\s+table|rename\s+table|truncate)\b.*\b(wait\s+\d+|nowait)\b|\bpersistent\s+for\b|\bcheck\s+view\b|^backup\b|\bengine\s*=\s*'?(aria|maria|sequence|archive|csv|federated|blackhole|merge|mrg_\w+)\b",
    "functions of MariaDB": rf"\b({FUNCTIONS})\s*\(|\b\w+_(nopad_\w+|uca1400\w*|thai_520_w2|myanmar_ci|croatian_mysql561_ci|general_mysql500_ci|general1400\w*)\b",
    "variables of MariaDB": r"\b(subquery_cache\w*|join_cache_level|optimizer_use_condition_selectivity|use_stat_tables|histogram_(size|type)|query_cache_\w+|aria_\w+|old_mode|optimizer_switch\s*=.*(in_to_exists|exists_to_in|table_elimination|extended_keys|orderby_uses_equalities|split_materialized|condition_pushdown|"
                            r"optimize_join_buffer_size|mrr_sort_keys|outer_join_with_cache|semijoin_with_cache|join_cache_|partial_match|subquery_cache|not_null_range|rowid_filter|sargable|hash_join_cardinality|index_merge_sort_intersection|cset_narrowing)\w*|"
                            r"column_compression\w*|max_statement_time|alter_algorithm|system_versioning\w*|analyze_sample_percentage|lock_wait_timeout_x|explicit_defaults_x|debug_dbug|debug|debug_sync|userstat|key_cache_\w+|sql_select_limit_x|standard_compliant_cte|expensive_subquery_limit|progress_report_time|"
                            r"deadlock_search_depth\w*|deadlock_timeout\w*|storage_engine|sql_if_exists|innodb_(strict_mode_x|file_format|large_prefix|lock_schedule\w*|defragment\w*|prefix_index\w*)|idle_\w+_timeout|in_predicate_conversion_threshold|eq_range_index_x|character_set_collations|log_slow_\w+|tx_isolation|tx_read_only|mrr_buffer_size|secure_timestamp)\b",
}
OUT = {area: re.compile(pattern, re.I | re.S) for area, pattern in OUT.items()}
MADE = re.compile(r"^create\s+(?:or\s+replace\s+)?(?:definer\s*=\s*\S+\s+)?(?:aggregate\s+)?(?:temporary\s+)?(?:sql\s+security\s+\w+\s+)?(?:procedure|function|table|view|sequence|trigger|event|role)\s+(?:if\s+not\s+exists\s+)?`?(?:\w+`?\.`?)?(\w+)", re.I)
DROPPED = re.compile(r"^drop\s+(?:temporary\s+)?(?:procedure|function|table|tables|view|sequence|role)\s+(?:if\s+exists\s+)?(.*)$", re.I | re.S)


def blocks(name):
    """(statement, lines of the result that belong to it) in order."""
    known = statement_lines(name)
    lines = (SUITE / f"main/{name}.result").read_bytes().decode("latin-1").rstrip("\n").split("\n")
    statement, count, output, routine = [], 0, False, False
    for line in lines:
        text = line.strip().rstrip(";").rstrip()
        is_known = text in known or line.endswith(";") or line.startswith("#") or line == ""
        ended = bool(statement) and not routine and (output or re.search(r"(;|//|\$\$|\|)\s*$", statement[-1]) or statement[-1].startswith("#"))
        if routine and re.search(r"^\s*(end\s*)?(;;|//|\$\$|\||\|\|)\s*;?\s*$|^end\s*(//|\$\$|\||;;)", statement[-1], re.I):
            ended = True
        if is_known and ended:
            yield "\n".join(statement), count
            statement, count, output, routine = [], 0, False, False
        if is_known and not output:
            statement.append(line)
            routine = routine or bool(len(statement) < 3 and re.match(r"\s*(create\s+(or\s+replace\s+)?(definer\S*\s+)?(procedure|function|trigger|event)|begin\s+not\s+atomic)\b(?!.*;\s*$)", line, re.I))
        elif not is_known:
            output, routine = True, False
        count += 1
    if statement:
        yield "\n".join(statement), count


def shares(name):
    """(share of the lines that are out of scope, {area: lines}, lines)."""
    made, areas, total = set(), {}, 0
    for statement, count in blocks(name):
        total += count
        text = "\n".join(l for l in statement.split("\n") if not l.startswith("#")).strip()
        area = next((a for a, p in OUT.items() if p.search(text)), None)
        target = MADE.match(text)
        if area is None and made and (not target or target[1].lower() not in made or len({w.lower() for w in re.findall(r"\w+", text)} & made) > 1):
            if {w.lower() for w in re.findall(r"\w+", text)} & made:
                area = "made by those"
        elif area is None and target:
            made.discard(target[1].lower())
        gone = DROPPED.match(text)
        if area and target:
            made.add(target[1].lower())
        if gone:
            made -= {w.lower() for w in re.findall(r"\w+", gone[1])}
        if area:
            areas[area] = areas.get(area, 0) + count
    return sum(areas.values()) / max(total, 1), areas, total


def plain(name):
    """Rule 1."""
    if any((SUITE / f"main/{name}{suffix}").exists() for suffix in (".opt", "-master.opt", "-slave.opt", ".cnf", ".combinations", "-master.sh")) or not (SUITE / f"main/{name}.result").exists():
        return False
    return not any(NEEDS.search(text) or re.search(r"^\s*grant\b[^;]*\bidentified\s+by\b|^\s*let\b.*information_schema\.(global|session)_(variables|status)", text, re.M | re.I) for text in texts(name))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--show", nargs="+")
    p.add_argument("--peer", action="store_true")
    p.add_argument("--write", action="store_true")
    a = p.parse_args()
    for name in a.show or []:
        share, areas, total = shares(name)
        print(f"{name}: {100 * share:.1f} % of {total} lines out of scope: {areas}")
    if a.show:
        return
    memory = cache("mysqltest") / "peer.json"
    peer = json.loads(memory.read_text()) if memory.exists() else {}
    listed = read_list()
    names = sorted(f.stem for f in (SUITE / "main").glob("*.test"))
    candidates = [n for n in names if plain(n) and shares(n)[0] <= SHARE]
    order = [n for n in listed if n in candidates] + sorted((n for n in candidates if n not in listed and shares(n)[2] <= 1000), key=lambda n: hashlib.md5(n.encode()).hexdigest())
    print(f"{len(names)} files, {len(candidates)} pass rules 1 and 2; of {len(listed)} listed {sum(n in candidates for n in listed)} do")
    for n in listed:
        if n not in candidates:
            share, areas, total = shares(n)
            print(f"  out: {n}: {100 * share:.1f} % of {total} lines: {areas}" + ("" if plain(n) else " (rule 1)"))
    if a.peer:
        template("mariadb")
        chosen = 0
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            while order and chosen < WANTED:
                part = [n for n in order[:WANTED - chosen]]
                order = order[len(part):]
                for r in pool.map(lambda n: one(n, "mariadb", 60, None), [n for n in part if n not in peer]):
                    peer[r.name] = 0.0 if r.note == "skipped" else round(r.percent(r.same), 2)
                    memory.write_text(json.dumps(peer, indent=0, sort_keys=True))
                chosen += sum(peer[n] >= 99 for n in part)
    good = [n for n in [n for n in listed if n in candidates] + sorted((n for n in candidates if n not in listed and shares(n)[2] <= 1000), key=lambda n: hashlib.md5(n.encode()).hexdigest()) if peer.get(n, 0) >= 99][:max(WANTED, sum(n in candidates for n in listed))]
    print(f"{len(good)} chosen")
    if a.write:
        head = [l for l in LIST.read_text().splitlines() if l.startswith("#")]
        LIST.write_text("\n".join(head + [f"{n} {listed.get(n) or 0}" for n in sorted(good)]) + "\n")


if __name__ == "__main__":
    main()
