"""Stored programs: who makes, changes, drops, shows and runs them, and what is reached through a definer's routine, trigger, event or view.

Each statement finds its programs made by root before it and dropped after it, so that the fixture of the others knows none.
"""
from . import S

ROOT, GONE = "DEFINER = root@localhost", "DEFINER = tgt_definer@localhost"
# what reads as the definer, as who asks, and as a definer who may do little
PD = f"CREATE {ROOT} PROCEDURE mxa.pd() SQL SECURITY DEFINER SELECT id, secret FROM mxa.t1"
PI = f"CREATE {ROOT} PROCEDURE mxa.pi() SQL SECURITY INVOKER SELECT id, secret FROM mxa.t1"
PX = f"CREATE {GONE} PROCEDURE mxa.px() SQL SECURITY DEFINER SELECT id, secret FROM mxa.t1"
PW = f"CREATE {ROOT} PROCEDURE mxa.pw() SQL SECURITY INVOKER UPDATE mxa.t1 SET pub = 'x' WHERE id = 99"
PN = f"CREATE {ROOT} PROCEDURE mxa.pn() SQL SECURITY DEFINER CALL mxa.pi()"
PM = f"CREATE {ROOT} PROCEDURE mxa.pm() SQL SECURITY INVOKER CALL mxa.pd()"
PS = f"CREATE {ROOT} PROCEDURE mxa.ps() SQL SECURITY DEFINER SELECT SUBSTRING_INDEX(CURRENT_USER(), '@', 1)"
E1 = f"CREATE {ROOT} EVENT mxa.e1 ON SCHEDULE EVERY 1 DAY DISABLE DO SELECT 1"
TG = ["CREATE TABLE mxa.tg (id INT)", f"CREATE {ROOT} TRIGGER mxa.tr BEFORE INSERT ON mxa.tg FOR EACH ROW SET @a = 1"]
ALL = [PD, PI, PX, PW, PN, PM, PS]
DROP = [f"DROP PROCEDURE IF EXISTS mxa.{p}" for p in ("pd", "pi", "px", "pw", "pn", "pm", "ps", "np")]
DROPTG, DROPE = ["DROP TABLE IF EXISTS mxa.tg"], ["DROP EVENT IF EXISTS mxa.e1", "DROP EVENT IF EXISTS mxa.ne", "DROP EVENT IF EXISTS mxb.ne"]
FD = f"CREATE {ROOT} FUNCTION mxa.fd() RETURNS INT DETERMINISTIC RETURN 1"
FDROP = ["DROP FUNCTION IF EXISTS mxa.fd", "DROP FUNCTION IF EXISTS mxa.nf", "DROP FUNCTION IF EXISTS mxb.nf"]


def made():
    """CREATE."""
    out = []
    for db in ("mxa", "mxb", "gone"):
        out.append(S(f"CREATE PROCEDURE {db}.np() SELECT 1", undo=f"DROP PROCEDURE IF EXISTS {db}.np"))
        out.append(S(f"CREATE FUNCTION {db}.nf() RETURNS INT DETERMINISTIC RETURN 1", undo=f"DROP FUNCTION IF EXISTS {db}.nf"))
        out.append(S(f"CREATE EVENT {db}.ne ON SCHEDULE EVERY 1 DAY DISABLE DO SELECT 1", undo=f"DROP EVENT IF EXISTS {db}.ne"))
    for who in ("root@localhost", "tgt@localhost", "tgt_sys@localhost", "nosuch@localhost", "CURRENT_USER"):
        out.append(S(f"CREATE DEFINER = {who} PROCEDURE mxa.np() SELECT 1", undo="DROP PROCEDURE IF EXISTS mxa.np"))
        out.append(S(f"CREATE DEFINER = {who} TRIGGER mxa.nt BEFORE INSERT ON mxa.tg FOR EACH ROW SET @a = 1", before=TG, after=DROPTG,
                     undo="DROP TRIGGER IF EXISTS mxa.nt"))
        out.append(S(f"CREATE DEFINER = {who} EVENT mxa.ne ON SCHEDULE EVERY 1 DAY DISABLE DO SELECT 1", undo="DROP EVENT IF EXISTS mxa.ne"))
    out.append(S("CREATE TRIGGER mxa.nt BEFORE INSERT ON mxa.gone FOR EACH ROW SET @a = 1"))
    out.append(S("CREATE TRIGGER mxb.nt BEFORE INSERT ON mxb.gone FOR EACH ROW SET @a = 1"))
    out.append(S("CREATE TRIGGER mxa.nt BEFORE UPDATE ON mxa.t1 FOR EACH ROW SET @a = 1", undo="DROP TRIGGER IF EXISTS mxa.nt"))
    # what the creator may do with its own routine (automatic_sp_privileges)
    out.append(S(["CREATE PROCEDURE mxa.np() SELECT 1", "CALL mxa.np()", "ALTER PROCEDURE mxa.np COMMENT 'x'", "SHOW GRANTS", "DROP PROCEDURE mxa.np"],
                 undo=("DROP PROCEDURE IF EXISTS mxa.np",), fresh=True, without=("root", "admin"), keys=()))
    return out


def changed():
    """ALTER, DROP, RENAME."""
    out = []
    for p, before in (("pd", [PD]), ("px", [PX]), ("gone", [])):
        out.append(S(f"ALTER PROCEDURE mxa.{p} COMMENT 'x'", before=before, after=DROP))
        if p != "gone":
            out.append(S(f"DROP PROCEDURE mxa.{p}", before=before, after=DROP, undo=before))
    out.append(S("DROP PROCEDURE IF EXISTS mxb.gone"))
    out.append(S("ALTER FUNCTION mxa.fd SQL SECURITY INVOKER", before=[FD], after=FDROP))
    out.append(S("DROP FUNCTION mxa.fd", before=[FD], after=FDROP, undo=FD))
    out.append(S("DROP FUNCTION IF EXISTS mxa.gone"))
    out.append(S("DROP TRIGGER mxa.tr", before=TG, after=DROPTG, undo=TG[1]))
    out.append(S("DROP TRIGGER IF EXISTS mxb.gone"))
    out.append(S("DROP TABLE mxa.tg", before=TG, after=DROPTG, undo=(*DROPTG, *TG)))
    out.append(S("RENAME TABLE mxa.tg TO mxb.tg", before=TG, after=DROPTG))
    out.append(S("ALTER EVENT mxa.e1 COMMENT 'x'", before=[E1], after=DROPE, undo=("DROP EVENT IF EXISTS mxa.e1", E1)))
    out.append(S("ALTER EVENT mxa.e1 RENAME TO mxb.ne", before=[E1], after=DROPE, undo=("DROP EVENT IF EXISTS mxb.ne", "DROP EVENT IF EXISTS mxa.e1", E1)))
    out.append(S("ALTER EVENT mxa.gone COMMENT 'x'"))
    out.append(S("DROP EVENT mxa.e1", before=[E1], after=DROPE, undo=E1))
    out.append(S("DROP EVENT IF EXISTS mxb.gone"))
    return out


def shown():
    """SHOW and information_schema."""
    out = [S(f"SHOW CREATE PROCEDURE mxa.{p}", before=ALL, after=DROP, keys=("PROCEDURE",)) for p in ("pd", "px")]
    out.append(S("SHOW CREATE FUNCTION mxa.fd", before=[FD], after=FDROP, keys=("FUNCTION",)))
    out.append(S("SHOW CREATE TRIGGER mxa.tr", before=TG, after=DROPTG, keys=("TRIGGER",)))
    out.append(S("SHOW CREATE EVENT mxa.e1", before=[E1], after=DROPE, keys=("EVENT",)))
    out.append(S("SHOW TRIGGERS FROM mxa", before=TG, after=DROPTG, keys=("TRIGGER",), name="SHOW TRIGGERS FROM mxa with one"))
    out.append(S("SHOW EVENTS FROM mxa", before=[E1], after=DROPE, keys=("NAME",), name="SHOW EVENTS FROM mxa with one"))
    out.append(S("SHOW PROCEDURE STATUS WHERE Db = 'mxa'", before=ALL, after=DROP, keys=("NAME", "DEFINER", "SECURITY_TYPE"), drop=("LANGUAGE",)))
    out.append(S("SHOW FUNCTION STATUS WHERE Db = 'mxa'", before=[FD], after=FDROP, keys=("NAME", "DEFINER"), drop=("LANGUAGE",)))
    out.append(S("SHOW PROCEDURE CODE mxa.pd", before=[PD], after=DROP))
    q = "SELECT ROUTINE_NAME, DEFINER, ROUTINE_DEFINITION, ROUTINE_COMMENT FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = 'mxa'"
    out.append(S(q, before=[PD, PX], after=DROP, keys=("ROUTINE_NAME", "DEFINER")))
    q = "SELECT SPECIFIC_NAME, PARAMETER_NAME, DTD_IDENTIFIER FROM information_schema.PARAMETERS WHERE SPECIFIC_SCHEMA = 'mxa'"
    out.append(S(q, before=[FD], after=FDROP))
    q = "SELECT TRIGGER_NAME, ACTION_STATEMENT, EVENT_OBJECT_TABLE FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = 'mxa'"
    out.append(S(q, before=TG, after=DROPTG))
    q = "SELECT EVENT_NAME, EVENT_DEFINITION, DEFINER FROM information_schema.EVENTS WHERE EVENT_SCHEMA = 'mxa'"
    out.append(S(q, before=[E1], after=DROPE))
    out.append(S("SELECT Db, User, Routine_name, Proc_priv FROM mysql.procs_priv", before=[PD, "GRANT EXECUTE ON PROCEDURE mxa.pd TO tgt@localhost"],
                 after=["REVOKE EXECUTE ON PROCEDURE mxa.pd FROM tgt@localhost", *DROP]))
    out.append(S("SHOW DATABASES LIKE 'mxa'", before=[PD], after=DROP, name="SHOW DATABASES LIKE 'mxa' with routines"))
    return out


def run():
    """CALL, functions, triggers: what is reached through them."""
    out = [S(f"CALL mxa.{p}()", before=ALL, after=DROP) for p in ("pd", "pi", "px", "pn", "pm", "ps")]
    out.append(S("CALL mxa.pw()", before=ALL, after=DROP, tx=True))
    out.append(S("CALL mxb.np()"))
    return out


def granted():
    """GRANT and REVOKE on routines."""
    take = "REVOKE IF EXISTS EXECUTE, ALTER ROUTINE, GRANT OPTION ON PROCEDURE mxa.pd FROM tgt@localhost"
    out = []
    for what in ("EXECUTE", "ALTER ROUTINE", "ALL", "USAGE"):
        out.append(S(f"GRANT {what} ON PROCEDURE mxa.pd TO tgt@localhost", before=[PD], after=DROP, undo=take))
    out.append(S("GRANT EXECUTE ON PROCEDURE mxa.pd TO tgt_sys@localhost", before=[PD], after=DROP, undo=take.replace("tgt@", "tgt_sys@")))
    out.append(S("GRANT EXECUTE ON FUNCTION mxa.pd TO tgt@localhost", before=[PD], after=DROP))
    out.append(S("GRANT EXECUTE ON PROCEDURE mxa.pd TO nosuch@localhost", before=[PD], after=DROP))
    give = "GRANT EXECUTE ON PROCEDURE mxa.pd TO tgt@localhost"
    out.append(S("REVOKE EXECUTE ON PROCEDURE mxa.pd FROM tgt@localhost", before=[PD, give], after=[take, *DROP], undo=give))
    out.append(S("REVOKE ALTER ROUTINE ON PROCEDURE mxa.pd FROM tgt@localhost", before=[PD, give], after=[take, *DROP]))
    # whoever defines something
    define = "CREATE DEFINER = tgt@localhost PROCEDURE mxa.pd() SELECT 1"
    out.append(S("DROP USER tgt@localhost", before=[define], after=DROP, undo="tgt", name="DROP USER tgt@localhost, who defines a routine"))
    out.append(S("RENAME USER tgt@localhost TO nu@localhost", before=[define], after=DROP, undo=("newuser", "tgt"),
                 name="RENAME USER tgt@localhost TO nu@localhost, who defines a routine"))
    return out


def statements():
    return made() + changed() + shown() + run() + granted()
