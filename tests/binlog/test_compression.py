"""binlog_transaction_compression: what is compressed, performance_schema's sums, which sessions may change when."""
import pymysql
import pytest

from lib.servers import MySQL, Server

KINDS = [Server, pytest.param(MySQL, marks=pytest.mark.skipif(MySQL.folder() is None, reason="scripts/mysql-peer.sh has not been run"))]
STATS = "performance_schema.binary_log_transaction_compression_stats"
SUMS = ("SELECT COMPRESSION_TYPE, TRANSACTION_COUNTER, COMPRESSED_BYTES_COUNTER, UNCOMPRESSED_BYTES_COUNTER, COMPRESSION_PERCENTAGE, "
        "SUBSTRING_INDEX(FIRST_TRANSACTION_ID, ':', -1), FIRST_TRANSACTION_UNCOMPRESSED_BYTES, SUBSTRING_INDEX(LAST_TRANSACTION_ID, ':', -1), "
        f"LAST_TRANSACTION_UNCOMPRESSED_BYTES, FIRST_TRANSACTION_TIMESTAMP <= LAST_TRANSACTION_TIMESTAMP FROM {STATS} WHERE LOG_TYPE = 'BINARY' ORDER BY 1")


@pytest.mark.parametrize("kind", KINDS)
def test_sums(kind):
    s = kind(options=["--log-bin=bin", "--server-id=1", "--gtid-mode=ON", "--enforce-gtid-consistency=ON"])
    try:
        s.start()
        s.query("CREATE DATABASE d")
        s.query("CREATE TABLE d.t (id INT PRIMARY KEY, a VARCHAR(1000))")
        s.query("RESET BINARY LOGS AND GTIDS")
        s.query(f"TRUNCATE TABLE {STATS}")
        assert s.query(f"SELECT * FROM {STATS}") == ()
        with s.connect(database="d") as c, c.cursor() as cur:
            def run(sql):
                cur.execute(sql)
                return cur.fetchall()
            run("INSERT INTO t VALUES (1, REPEAT('a', 500))")
            run("SET binlog_transaction_compression = 1")
            run("INSERT INTO t VALUES (2, REPEAT('a', 500))")
            run("INSERT INTO t VALUES (3, REPEAT('b', 900))")
            run("CREATE TABLE u (a INT)")  # never compressed
            run("CREATE TABLE v SELECT * FROM t")
            run("SET binlog_format = STATEMENT")
            run("INSERT INTO t VALUES (4, REPEAT('c', 500))")
            run("SET binlog_format = ROW")
            plain, packed = run(SUMS)
        count, bytes_packed, bytes_unpacked, percent = packed[1:5]
        assert packed[0] == "ZSTD" and count == 2 and bytes_packed < 400 and bytes_unpacked == 681 + 1081, packed
        assert percent == round(100 - bytes_packed * 100 / bytes_unpacked) and packed[5:] == ("2", 681, "3", 1081, 1)
        assert plain[0] == "NONE" and plain[1] == 4 and plain[2] == plain[3] and plain[4] == 0, plain
        assert plain[5:7] == ("1", 681) and plain[7] == "6" and plain[9] == 1
        # MySQL counts what it writes here, too
        s.query(f"TRUNCATE TABLE {STATS}")
        assert s.query(SUMS) == ()
    finally:
        s.stop()
        s.remove()


@pytest.mark.parametrize("kind", KINDS)
def test_not_in_a_transaction(kind):
    s = kind(options=["--log-bin=bin", "--server-id=1"])
    names = ("binlog_transaction_compression", "binlog_transaction_compression_level_zstd", "binlog_row_value_options")
    try:
        s.start()
        with s.connect() as c, c.cursor() as cur:
            cur.execute("BEGIN")
            for name in names:
                with pytest.raises(pymysql.err.MySQLError) as e:
                    cur.execute(f"SET {name} = DEFAULT")
                assert e.value.args == (1766, f"The system variable {name} cannot be set when there is an ongoing transaction.")
                if "compression" in name:
                    cur.execute(f"SET GLOBAL {name} = DEFAULT")
            cur.execute("ROLLBACK")
            with pytest.raises(pymysql.err.MySQLError) as e:
                cur.execute("SET binlog_row_value_options = 'x'")
            assert e.value.args == (1231, "Variable 'binlog_row_value_options' can't be set to the value of 'x'")
            cur.execute("SET binlog_row_value_options = 'PARTIAL_JSON'")
            assert [w[1] for w in c.show_warnings()] == [3647]
            cur.execute("SET binlog_row_image = 'MINIMAL'")
            cur.execute("SET binlog_row_value_options = 'PARTIAL_JSON'")
            assert c.show_warnings() == ()
    finally:
        s.stop()
        s.remove()
