"""What the two servers are known to disagree about: one line each, with the reason. docs/compat.md has the same list.

A line is (name, applies, reason): `applies(d, sql, ours, theirs)` sees the kind of the difference (compare.difference), the statement and both answers.
"""
import re

EXPLAINED = []


def explain(reason, pattern=None, kinds=None, codes=None, own=False, shows=None):
    """Adds a line: statements that match the pattern, differences of these kinds, answers with one of these error numbers, rows that show a text."""
    rx = re.compile(pattern, re.S | re.I) if pattern else None
    EXPLAINED.append((reason, rx, kinds, codes, own, shows))


def why(d, sql, ours, theirs, own=False):
    """The reason why a difference is none, or None."""
    seen = {x[1] for x in (ours, theirs) if x[0] == "error"}
    for reason, rx, kinds, codes, also_own, shows in EXPLAINED:
        if own and not also_own:
            continue
        if shows and shows not in repr(ours) + repr(theirs):
            continue
        if (kinds is None or d in kinds) and (rx is None or rx.search(sql)) and (codes is None or seen & codes):
            return reason
    return None


explain("overflow or division by zero in an expression that the other plan did not evaluate", codes={1690, 1365}, own=True)

# --- functions
explain("JSON_ARRAY_APPEND, JSON_SET, JSON_REMOVE of a path that is not there leave the document alone; MariaDB gives NULL", r"JSON_(ARRAY_APPEND|SET|INSERT|REPLACE|REMOVE|MERGE)", {"rows"})
explain("JSON functions refuse what is no text and no JSON (3146, 3144), bad text (3141), paths with * (3149); MariaDB gives NULL or takes it", None, {"outcome"}, {3146, 3144, 3141, 3149, 3143, 3140, 3147, 3158})
explain("REGEXP_SUBSTR without a match is NULL; MariaDB gives ''", r"REGEXP_SUBSTR", {"rows"})
explain("LPAD and RPAD with an empty pad string give ''; MariaDB NULL", r"[LR]PAD\(", {"rows"})
explain("a TIME ends at 838:59:59.000000; MariaDB's has a fraction there", None, {"rows"}, shows="838:59:59")
explain("FROM_UNIXTIME and UNIX_TIMESTAMP go to the year 3001; MariaDB's to 2038", r"UNIX", {"rows"})
explain("TIME_TO_SEC is an integer; MariaDB keeps the fraction", r"TIME_TO_SEC", {"rows", "types"})
explain("JSON_VALID of other than text is 0; JSON_TYPE('1e3') is DOUBLE; JSON_SEARCH finds strings only; times in JSON have six digits", r"JSON_(VALID|TYPE|SEARCH|ARRAY|OBJECT)", {"rows"})
explain("CAST of a negative time or a time with a fraction AS UNSIGNED: wraps and rounds here", r"AS (UN)?SIGNED", {"rows"})
explain("LOCATE of '' behind the last character finds it", r"LOCATE", {"rows"})
explain("the type of an expression with the literal NULL", r"\bNULL\b", {"types"})
explain("integers of both signs: BIGINT where every value fits; MariaDB DECIMAL", r"IFNULL|COALESCE|IF\(|CASE|LEAST|GREATEST|NULLIF|UNION", {"types"})
explain("MariaDB cuts CAST AS BINARY(n) by characters", r"AS BINARY\(", {"rows"})

# --- tables
explain("two errors in one statement: which is met first depends on the order of rows and columns", None, {"number"}, {1062, 1048, 1364, 1264, 1406, 1265, 1366})
explain("ids that pass through each other: depends on the order of rows", r"UPDATE.*id = id [+-]", None, {1062})
explain("MariaDB's materialized NOT IN converts to the subquery's column type first", r"NOT IN \(SELECT", {"rows"})
explain("MariaDB rounds a constant to the type of the column it is compared with", r"(=|<>|IN \() ?-?\d+\.\d|\d\.\d+ (=|<>|<=>) ", {"rows"})
explain("MariaDB: <=> and = between the same columns", r"<=>.* = .*JOIN|JOIN.*<=>", {"rows"})
explain("quotients are summed with all digits here, with four of them where MariaDB uses a temporary table", r"(SUM|AVG)\(.* / ", {"rows"})
explain("the time limit of a statement", None, None, {3024, 1969})
explain("a position in a window's ORDER BY is an error (3592)", None, {"outcome"}, {3592})
explain("NULL into a NOT NULL column in a multi-table UPDATE: 1048; MariaDB 1265", r"UPDATE .* JOIN", {"number"}, {1048})
explain("a column's name in ON is ambiguous for MariaDB (1052) when a derived table is pushed into", None, {"outcome"}, {1052})

# --- conversions and edges of functions
explain("$[last] of a value that is no array is the value", r"\[last\]", {"rows"})
explain("DOUBLE as an integer is rounded to even; MariaDB rounds half up in bit operators", r"[|&^~]|<<|>>|BIT_COUNT|MAKE_SET|EXPORT_SET|DIV", {"rows"})
explain("a TIME where a date is needed is on the current date; MariaDB gives NULL", r"TIMEDIFF|TIME\(|\bt[m36]\b|SUBTIME|ADDTIME|SEC_TO_TIME|MAKETIME", {"rows"})
explain("MariaDB does not convert results of text functions to a column's character set (1267, 1270)", r"\bvl\b|latin1", {"outcome"}, {1267, 1270, 1271})
explain("GREATEST and LEAST compare text of two collations: an error here", r"GREATEST|LEAST", {"outcome"}, {1267, 1270, 1271})
explain("JSON_KEYS is sorted", r"JSON_KEYS", {"rows"})
explain("JSON_REMOVE of the whole document (3153), JSON_QUOTE of other than text (3064)", r"JSON_", {"outcome"}, {3153, 3064})
explain("FROM_DAYS out of range is 0000-00-00; MariaDB NULL", r"FROM_DAYS", {"rows"})
explain("bytes that are no text stay as they are in CAST AS CHAR", r"AS CHAR", {"rows"})
explain("YEAR, BIT, BINARY and JSON as TIME", r"AS TIME", {"rows"})
explain("IS UNKNOWN of a row comparison that is NULL is true", r"\(\(.*,.*\) [<>=]+ \(.*,.*\)\) IS UNKNOWN", {"rows"})
explain("ROUND, TRUNCATE, CEIL and FLOOR of integers stay integers; MariaDB DECIMAL", r"ROUND|TRUNCATE|CEIL|FLOOR", {"types"})
explain("ADDTIME and SUBTIME of a DATE are text", r"(ADD|SUB)TIME", {"types"})
explain("CONVERT_TZ at the ends of the range", r"CONVERT_TZ", {"rows"})
explain("SOUNDEX of bytes", r"SOUNDEX|SOUNDS", {"rows"}, shows="\\x")
explain("text or a number that is no date, compared with a date: NULL here; MariaDB takes the zero date", r"[<>=]|IN \(|BETWEEN|CASE|GREATEST|LEAST|INTERVAL", {"rows"}, shows="None")
explain("0 and other numbers as a date", r"AS DATE|MONTH|YEAR|QUARTER|DAY|WEEK|DATE", {"rows"}, shows="None")
explain("dates with zero parts in an expression", r"AS DATE|STR_TO_DATE|DATE\(", {"rows"}, shows="-00")
explain("REPLACE of '' by NULL is NULL (manual: NULL if any argument is)", r"REPLACE", {"rows"}, shows="None")
explain("a date text from TIMESTAMPADD and DATE_ADD of text has no trailing zeros", r"TIMESTAMPADD|DATE_ADD|INTERVAL", {"rows"}, shows=".000000")
explain("DATE_ADD of a TIME with a unit of days or more is a DATETIME", r"DATE_ADD|INTERVAL|TIMESTAMPADD", {"types"})
explain("JSON true is 1 as a number, and no number of JSON is a date", r"CAST\(js", {"rows"})
explain("BIT(64) as DOUBLE is unsigned", r"\bb64\b", {"rows"})
explain("rows in IN whose texts have no common collation: an error here", r"IN \(\(", {"outcome"}, {1267, 1270, 1271})
explain("INSTR, LOCATE and FIND_IN_SET find letters that the collation takes for equal though they have other lengths", r"INSTR|LOCATE|POSITION|FIND_IN_SET", {"rows"})
explain("FORMAT of large DOUBLEs", r"FORMAT\(", {"rows"})
explain("EXTRACT of a time from a date text", r"EXTRACT", {"rows"})
explain("sums of DOUBLEs in another order round differently", r"VARIANCE|VAR_|STDDEV", {"own rows", "rows"}, own=True)
explain("REGEXP takes two binary strings or two texts (3995); MariaDB any mixture", r"REGEXP|RLIKE", {"outcome"}, {3995})
explain("a table that is changed and read through a merged derived table: 1093; MariaDB keeps rows", r"UPDATE|DELETE", {"outcome"}, {1093})
explain("outer columns in subqueries count for ONLY_FULL_GROUP_BY (1055, 1140)", r"\(SELECT", {"outcome"}, {1055, 1140})
