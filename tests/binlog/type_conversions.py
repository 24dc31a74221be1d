"""What a replica makes of rows whose columns have another type there: recorded from MySQL (`python tests/binlog/type_conversions.py`), compared with ours by
`test_replica_columns.py`. For each pair of types and each `replica_type_conversions`: the values that arrive, or the error."""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
FILE = HERE / "recorded/type_conversions.txt"

MODES = ["", "ALL_NON_LOSSY", "ALL_LOSSY", "ALL_LOSSY,ALL_NON_LOSSY", "ALL_NON_LOSSY,ALL_UNSIGNED"]
INTS, TEXTS, NUMBERS = ["1", "100", "-1"], ["'abc'", "'abcdefgh'", "''"], ["1.5", "99.99", "-3"]
PAIRS = [
    ("TINYINT", "INT", INTS), ("INT", "TINYINT", ["1", "300", "-300"]), ("INT", "BIGINT", INTS), ("BIGINT", "SMALLINT", ["1", "70000", "-70000"]), ("INT", "INT UNSIGNED", ["1", "7"]),
    ("TINYINT UNSIGNED", "INT", ["1", "200"]), ("MEDIUMINT", "BIGINT UNSIGNED", ["1", "2"]), ("INT", "DECIMAL(10,2)", INTS), ("INT", "DOUBLE", INTS), ("INT", "VARCHAR(20)", INTS),
    ("DECIMAL(10,2)", "DECIMAL(12,2)", NUMBERS), ("DECIMAL(10,2)", "DECIMAL(4,1)", NUMBERS), ("DECIMAL(10,2)", "DECIMAL(10,4)", NUMBERS), ("DECIMAL(10,2)", "DOUBLE", NUMBERS),
    ("DOUBLE", "DECIMAL(5,1)", NUMBERS), ("FLOAT", "DOUBLE", ["1.5", "-3"]), ("DOUBLE", "FLOAT", ["1.5", "-3"]), ("DOUBLE", "INT", NUMBERS),
    ("VARCHAR(10)", "VARCHAR(20)", TEXTS), ("VARCHAR(20)", "VARCHAR(4)", TEXTS), ("CHAR(10)", "CHAR(20)", TEXTS), ("CHAR(10)", "CHAR(4)", TEXTS), ("CHAR(10)", "VARCHAR(10)", TEXTS),
    ("VARCHAR(10)", "CHAR(10)", TEXTS), ("VARCHAR(10)", "TEXT", TEXTS), ("TEXT", "VARCHAR(4)", TEXTS), ("TEXT", "LONGTEXT", TEXTS), ("LONGTEXT", "TINYTEXT", TEXTS),
    ("VARBINARY(10)", "BLOB", TEXTS), ("BINARY(4)", "BINARY(8)", ["'ab'", "''"]), ("BLOB", "VARBINARY(5)", TEXTS), ("TEXT", "JSON", ["'{}'"]), ("JSON", "TEXT", ["'{}'"]),
    ("ENUM('a','b')", "ENUM('a','b','c')", ["'a'", "'b'"]), ("ENUM('a','b')", "VARCHAR(10)", ["'a'"]), ("VARCHAR(10)", "ENUM('abc','b')", ["'abc'"]), ("SET('a','b')", "SET('a','b','c')", ["'a,b'"]),
    ("BIT(4)", "BIT(8)", ["5", "1"]), ("BIT(16)", "BIT(4)", ["5", "300"]), ("BIT(8)", "TINYINT", ["5"]), ("DATE", "DATETIME", ["'2020-01-02'"]), ("DATETIME", "DATE", ["'2020-01-02 03:04:05'"]),
    ("DATETIME", "TIMESTAMP", ["'2020-01-02 03:04:05'"]), ("YEAR", "INT", ["2020"]),
    ("SET('a','b','c','d','e','f','g','h','i')", "SET('a','b')", ["'a,b'"]),
]


def sides(source, replica, run, part=1):
    """One in `part` of the pairs in each mode. `run(sql)` has the replica apply a transaction of the source: None, or the error that it met and passes over."""
    out = []
    for m, mode in enumerate(MODES):
        replica.query("STOP REPLICA SQL_THREAD")
        replica.query(f"SET GLOBAL replica_type_conversions = '{mode}'")
        replica.query("START REPLICA SQL_THREAD")
        for theirs, ours, values in PAIRS[m % part::part]:
            for server, ty in ((source, theirs), (replica, ours)):
                with server.connect() as c, c.cursor() as cur:
                    cur.execute("SET sql_log_bin = 0")
                    cur.execute("DROP TABLE IF EXISTS d.t")
                    cur.execute(f"CREATE TABLE d.t (id INT PRIMARY KEY, v {ty})")
            error = run("INSERT INTO d.t VALUES " + ", ".join(f"({n}, {v})" for n, v in enumerate(values)))
            if error:
                code, text = error
                text = re.sub(r"^.*?(Column \d)", r"\1", text)
                # MySQL 9 counts them from 1 on and says so
                text = re.sub(r"Column (\d) \(counting the first column as number 1\)", lambda m: f"Column {int(m[1]) - 1}", text)
                text = re.sub(r", Error_code: (\w|-)+;.*", "", text)
                out.append(f"{mode or 'none'}: {theirs} -> {ours}: error {code} {text}")
            else:
                shown = [h for (h,) in replica.query("SELECT IF(v IS NULL, 'NULL', HEX(CAST(v AS BINARY))) FROM d.t ORDER BY id")]
                out.append(f"{mode or 'none'}: {theirs} -> {ours}: {' '.join(bytes.fromhex(h).decode('latin1').__repr__() for h in shown)}")
    return out


def runner(source, replica):
    """See `sides`."""
    from binlog.test_replica import status
    from lib.wait import until

    def run(sql):
        source.query(sql)
        gtid = source.query("SELECT @@GLOBAL.gtid_executed")[0][0].replace("\n", "")
        done = lambda: replica.query(f"SELECT GTID_SUBSET('{gtid}', @@GLOBAL.gtid_executed)") == ((1,),)  # noqa: E731
        until(lambda: done() or status(replica)["Replica_SQL_Running"] == "No", every=0.005)
        if done():
            return None
        now = status(replica)
        told = replica.query("SELECT LAST_ERROR_NUMBER, LAST_ERROR_MESSAGE FROM performance_schema.replication_applier_status_by_worker WHERE LAST_ERROR_NUMBER > 0")
        uuid, last = gtid.rsplit(":", 1)
        with replica.connect() as c, c.cursor() as cur:
            for q in (f"SET gtid_next = '{uuid}:{last.rsplit('-', 1)[-1]}'", "BEGIN", "COMMIT", "SET gtid_next = 'AUTOMATIC'"):
                cur.execute(q)
        replica.query("START REPLICA SQL_THREAD")
        return told[0] if told else (now["Last_SQL_Errno"], now["Last_SQL_Error"])
    return run


def main():
    from binlog.test_replica import pair, point
    from lib.servers import MySQL
    import binlog.test_replica as t
    t.Server, ours = MySQL, t.Server
    try:
        with pair(MySQL) as (s, r):
            r.query("RESET BINARY LOGS AND GTIDS")
            s.query("RESET BINARY LOGS AND GTIDS")
            point(s, r)
            s.query("CREATE DATABASE d")
            r.query("START REPLICA")
            run = runner(s, r)
            run("CREATE DATABASE e")
            FILE.write_text("\n".join(sides(s, r, run)) + "\n")
    finally:
        t.Server = ours


if __name__ == "__main__":
    main()
