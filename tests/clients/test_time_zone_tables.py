"""mysql.time_zone*: MySQL's columns, loading, and the one rule of which data a named zone comes from: the tables as they are when the server starts,
else the built-in data."""
from lib.servers import Server

# A zone that does not exist, and one that does with data of its own, as mysql_tzinfo_to_sql writes them.
LOAD = """
TRUNCATE TABLE time_zone;
TRUNCATE TABLE time_zone_name;
TRUNCATE TABLE time_zone_transition;
TRUNCATE TABLE time_zone_transition_type;
START TRANSACTION;
INSERT INTO time_zone (Use_leap_seconds) VALUES ('N');
SET @time_zone_id= LAST_INSERT_ID();
INSERT INTO time_zone_name (Name, Time_zone_id) VALUES ('Test/Island', @time_zone_id);
INSERT INTO time_zone_transition (Time_zone_id, Transition_time, Transition_type_id) VALUES
 (@time_zone_id, 1000000000, 1)
,(@time_zone_id, 1100000000, 0)
;
INSERT INTO time_zone_transition_type (Time_zone_id, Transition_type_id, Offset, Is_DST, Abbreviation) VALUES
 (@time_zone_id, 0, 900, 0, 'TIT')
,(@time_zone_id, 1, 4500, 1, 'TIST')
;
INSERT INTO time_zone (Use_leap_seconds) VALUES ('N');
SET @time_zone_id= LAST_INSERT_ID();
INSERT INTO time_zone_name (Name, Time_zone_id) VALUES ('Europe/Berlin', @time_zone_id);
INSERT INTO time_zone_transition_type (Time_zone_id, Transition_type_id, Offset, Is_DST, Abbreviation) VALUES
 (@time_zone_id, 0, 7260, 0, 'ODD')
;
INSERT INTO time_zone (Use_leap_seconds) VALUES ('Y');
SET @time_zone_id= LAST_INSERT_ID();
INSERT INTO time_zone_name (Name, Time_zone_id) VALUES ('Europe/Paris', @time_zone_id);
INSERT INTO time_zone_transition_type (Time_zone_id, Transition_type_id, Offset, Is_DST, Abbreviation) VALUES
 (@time_zone_id, 0, 60, 0, 'LEAP')
;
COMMIT;
"""
COLUMNS = {
    "time_zone": "Time_zone_id:int unsigned:PRI Use_leap_seconds:enum('Y','N'):",
    "time_zone_leap_second": "Transition_time:bigint:PRI Correction:int:",
    "time_zone_name": "Name:char(64):PRI Time_zone_id:int unsigned:",
    "time_zone_transition": "Time_zone_id:int unsigned:PRI Transition_time:bigint:PRI Transition_type_id:int unsigned:",
    "time_zone_transition_type": "Time_zone_id:int unsigned:PRI Transition_type_id:int unsigned:PRI Offset:int: Is_DST:tinyint unsigned: Abbreviation:char(8):",
}


def zones(s, at):
    """Seconds east of UTC in four zones at that moment; None where the name means nothing."""
    names = ("Test/Island", "test/island", "Europe/Berlin", "Europe/Paris")
    ask = ", ".join(f"CONVERT_TZ(FROM_UNIXTIME({at}), '+00:00', '{n}')" for n in names)
    with s.connect() as c, c.cursor() as cur:
        cur.execute("SET time_zone = '+00:00'")
        cur.execute(f"SELECT FROM_UNIXTIME({at}), {ask}")
        row = cur.fetchone()
    return [None if t is None else int((t - row[0]).total_seconds()) for t in row[1:]]


def test_the_rule(tmp_path):
    s = Server(tmp_path).start()
    for table, want in COLUMNS.items():
        rows = s.query(f"SHOW COLUMNS FROM mysql.{table}")
        assert " ".join(f"{r[0]}:{r[1]}:{r[3]}" for r in rows) == want
    assert zones(s, 1_050_000_000) == [None, None, 7200, 7200]
    with s.connect(database="mysql") as c, c.cursor() as cur:
        for statement in LOAD.split(";\n"):
            if statement.strip():
                cur.execute(statement)
    # loaded, but not read: one name has one meaning in one run
    assert zones(s, 1_050_000_000) == [None, None, 7200, 7200]
    assert s.stop() == 0
    s = Server(tmp_path, options=["--default-time-zone=+00:00"]).start()
    assert zones(s, 1_050_000_000) == [4500, 4500, 7260, 7200]
    assert zones(s, 900_000_000)[0] == 900 and zones(s, 2_000_000_000)[0] == 900
    with s.connect() as c, c.cursor() as cur:
        cur.execute("SET time_zone = 'Test/Island'")
        cur.execute("SELECT @@time_zone")
        assert cur.fetchone() == ("Test/Island",)
        cur.execute("SELECT FROM_UNIXTIME(1050000000)")
        assert str(cur.fetchone()[0]) == "2003-04-10 19:55:00"
        cur.execute("SELECT UNIX_TIMESTAMP('2003-04-10 19:55:00')")
        assert cur.fetchone() == (1_050_000_000,)
        # gone from the tables means the built-in data again, from the next start on
        cur.execute("TRUNCATE TABLE mysql.time_zone_name")
    assert zones(s, 1_050_000_000)[2] == 7260
    assert s.stop() == 0
    s = Server(tmp_path).start()
    assert zones(s, 1_050_000_000) == [None, None, 7200, 7200]
    assert s.stop() == 0
