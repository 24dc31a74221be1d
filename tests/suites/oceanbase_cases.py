#!/usr/bin/env python3
"""The statements of OceanBase's test files for mysqltest (out of SeekDB's git repository), run on Evenkeel and on a real MySQL (scripts/mysql-peer.sh) side by side.

    tests/suites/oceanbase_cases.py --git DIR [--metadata] [--keep FILE] [REGEX-OF-PATHS]

Only the statements are used: commands of mysqltest are dropped (those of several connections run on one), and so are files and statements about what
only OceanBase has. Compared is what tidb_go_statements.py compares. Exit code 1 when something differs that EXPLAINED does not name.
"""
import re
import sys

import tidb_go_statements
from tidb_go_statements import EXPLAINED, PARTS, STATEMENT, asked, files, whole

CASES = "tools/deploy/mysql_test"
OTHER = re.compile(r"/(geometry|pl|px|inner_table|table_api|column_store\w*|tenant|storage|major_freeze|proxy\w*|direct_load_data|deadlock_detector|global_index|skyline|pdml|spm|static_engine/\w*px\w*)/"
                   r"|virtual_table|partition|part_|tenant|outline|plan_cache|timeout|bloom|location|hash_distinct_px", re.I)
SKIPPED = re.compile(r"__all_|explicit_defaults_for_timestamp|oceanbase\.|gv\$|\bv\$|\balter\s+system\b|tenant|tablegroup|tablet|ob_|_ob|partition\s+by|\bgeometry|\bpoint\b|st_\w+\(|sleep\(|\bkill\b|^\s*(explain|desc(ribe)?\s+select|analyze|purge|flashback|call|delimiter|system)\b"
                     r"|recyclebin|dbms_|set\s+(global|persist|@@global)|column\s+group|replica_num|primary_zone|block_size|progressive|pctfree|\bglobal\b|show\s+(variables|parameters|processlist|recyclebin|trace|tables|databases|grants)|\bmysql\.\w|into\s+outfile|load\s+data"
                     r"|\$|shutdown|benchmark\s*\(|(create|drop)\s+(or\s+replace\s+)?(procedure|function|trigger|outline|restore)", re.I)
COMMAND = re.compile(r"\s*(--|#|let\b|eval\b|source\b|connect\b|connection\b|disconnect\b|sleep\b|echo\b|error\b|sorted_result\b|result_format\b|real_sleep\b|if\b|while\b|inc\b|dec\b|exec\b|\}|\{|send\b|reap\b)", re.I)


def units(path, text):
    lines = [x for x in text.splitlines() if not COMMAND.match(x)]
    found = [q for s in PARTS.findall("\n".join(lines)) if (q := s.strip()) and STATEMENT.match(q)]
    yield path.rsplit("/", 1)[-1], found


def main():
    options = asked()
    tidb_go_statements.SKIPPED = SKIPPED
    paths = [f for f in files(["git", "-C", options.git], CASES) if f.endswith(".test") and not OTHER.search(f) and re.search(options.paths, f)]
    return whole(options, paths, units, EXPLAINED)


if __name__ == "__main__":
    sys.exit(main())
