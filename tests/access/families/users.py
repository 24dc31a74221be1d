"""CREATE, ALTER, DROP and RENAME USER and ROLE, GRANT, REVOKE, SET PASSWORD, SET ROLE."""
from . import S

NEW = ("newuser",)


def user_statements():
    out = [S(s, undo=NEW) for s in (
        "CREATE USER nu@localhost", "CREATE USER IF NOT EXISTS nu@localhost", "CREATE USER nu@localhost IDENTIFIED BY 'x'", "CREATE USER nu@localhost, nu2@localhost ACCOUNT LOCK", "CREATE USER nu@localhost DEFAULT ROLE rol_read", "CREATE USER nu@localhost DEFAULT ROLE rol_all", "CREATE USER nu@localhost DEFAULT ROLE rol_sys", "CREATE USER nu@localhost DEFAULT ROLE gone",
        "CREATE USER nu@localhost IDENTIFIED WITH caching_sha2_password BY 'x' REQUIRE SSL PASSWORD EXPIRE NEVER COMMENT 'c'", "CREATE USER nu@localhost WITH MAX_USER_CONNECTIONS 1", "CREATE USER nu@localhost IDENTIFIED WITH gone", "CREATE USER nu@localhost IDENTIFIED WITH caching_sha2_password AS 'bad'", "CREATE USER tgt@localhost", "CREATE USER tgt_sys@localhost", "CREATE USER IF NOT EXISTS tgt_sys@localhost", "CREATE USER root@localhost",
        "CREATE USER nu@localhost IDENTIFIED BY RANDOM PASSWORD", "CREATE USER tgt_definer@'%'", "CREATE USER nu@localhost FAILED_LOGIN_ATTEMPTS 3 PASSWORD_LOCK_TIME 1")]
    for s in out:
        if "RANDOM" in s.name:
            s.any = True
    out.append(S("CREATE USER tgt_definer@'127.0.0.1'", undo=("DROP USER tgt_definer@'127.0.0.1'",)))
    next(s for s in out if s.name == "CREATE USER tgt_definer@'%'").undo = ("DROP USER tgt_definer@'%'",)
    for who, undo in (("tgt@localhost", "tgt"), ("tgt_sys@localhost", "tgt_sys"), ("tgt_role@localhost", "tgt_role"), ("rol_free", "rol_free"), ("gone@localhost", "")):
        out += [S(f"ALTER USER {who} {what}", undo=(undo,) if undo else (), any="RANDOM" in what) for what in (
            "IDENTIFIED BY 'x'", "ACCOUNT LOCK", "PASSWORD EXPIRE", "DEFAULT ROLE NONE", "REQUIRE SSL", "COMMENT 'x'", "ATTRIBUTE '{\"a\": 1}'", "WITH MAX_QUERIES_PER_HOUR 5", "IDENTIFIED BY 'x' RETAIN CURRENT PASSWORD", "DISCARD OLD PASSWORD", "IDENTIFIED BY 'y' REPLACE 'x'", "IDENTIFIED BY RANDOM PASSWORD", "PASSWORD HISTORY 3", "FAILED_LOGIN_ATTEMPTS 3")]
        out += [S(f"DROP USER {who}", undo=(undo,) if undo else ()), S(f"DROP USER IF EXISTS {who}", undo=(undo,) if undo else ())]
        if "rol" not in who or who == "tgt_role@localhost":
            name = who.split("@")[0]
            out += [S(f"RENAME USER {who} TO nu@localhost", undo=("newuser", undo) if undo else ()), S(f"SET PASSWORD FOR {who} = 'x'", undo=(undo,) if undo else ()), S(f"SET DEFAULT ROLE NONE TO {who}", undo=(undo,) if undo else ()), S(f"SET DEFAULT ROLE ALL TO {who}", undo=(undo,) if undo else ()), S(f"SET DEFAULT ROLE rol_read TO {who}", undo=(undo,) if undo else ()),
                    S(f"ALTER USER {who} DEFAULT ROLE ALL", undo=(undo,) if undo else ()), S(f"ALTER USER {who} DEFAULT ROLE rol_sys", undo=(undo,) if undo else ()), S(f"SET PASSWORD FOR {who} TO RANDOM", undo=(undo,) if undo else (), any=True)]
            assert name
    # the administrator itself: nobody but system users may; root does not run what would change it
    out += [S(s, without=("root", "admin", "g_all", "cu_system", "r_everything", "p_all", "r_system", "system_user"), undo=("root", "REVOKE root@localhost FROM {me}", "tgt", "tgt_definer")) for s in (
        "ALTER USER root@localhost IDENTIFIED BY 'x'", "ALTER USER root@localhost ACCOUNT LOCK", "DROP USER root@localhost", "RENAME USER root@localhost TO nu@localhost", "SET PASSWORD FOR root@localhost = 'x'", "REVOKE ALL PRIVILEGES, GRANT OPTION FROM root@localhost", "REVOKE SELECT ON *.* FROM root@localhost", "GRANT root@localhost TO {me}", "GRANT root@localhost TO tgt@localhost",
        "GRANT rol_free TO root@localhost", "SET DEFAULT ROLE NONE TO root@localhost", "GRANT SELECT ON mxa.t1 TO root@localhost", "ALTER USER root@localhost DEFAULT ROLE NONE", "GRANT PROXY ON root@localhost TO {me}", "REVOKE SYSTEM_USER ON *.* FROM root@localhost", "ALTER USER tgt@localhost, root@localhost ACCOUNT LOCK", "DROP USER tgt_definer@localhost, root@localhost")]
    # oneself
    safe = ("root",)
    out += [S(s, without=safe) for s in ("ALTER USER USER() IDENTIFIED BY ''", "SET PASSWORD = ''", "ALTER USER {me} IDENTIFIED BY ''", "SET PASSWORD FOR {me} = ''", "ALTER USER CURRENT_USER() IDENTIFIED BY '' REPLACE ''", "ALTER USER USER() DISCARD OLD PASSWORD", "ALTER USER {me} REQUIRE NONE", "ALTER USER {me} PASSWORD EXPIRE DEFAULT", "ALTER USER CURRENT_USER() ACCOUNT UNLOCK")]
    out += [S(s) for s in ("ALTER USER IF EXISTS gone@localhost ACCOUNT LOCK", "ALTER USER tgt@localhost IDENTIFIED BY 'x', gone@localhost IDENTIFIED BY 'y'", "RENAME USER gone@localhost TO nu@localhost", "RENAME USER tgt@localhost TO tgt_sys@localhost")]
    out = [s for n, s in enumerate(out) if s.name not in {x.name for x in out[:n]}]
    return out


def role_statements():
    r = ("newrole",)
    out = [S(s, undo=u) for s, u in (
        ("CREATE ROLE nr", r), ("CREATE ROLE IF NOT EXISTS nr", r), ("CREATE ROLE nr, nr2", r), ("CREATE ROLE rol_read", ()), ("CREATE ROLE IF NOT EXISTS rol_sys", ()), ("DROP ROLE rol_free", ("rol_free",)), ("DROP ROLE IF EXISTS rol_free", ("rol_free",)), ("DROP ROLE rol_sys", ("rol_sys",)), ("DROP ROLE rol_all", ("rol_all",)), ("DROP ROLE gone", ()), ("DROP ROLE IF EXISTS gone", ()),
        ("DROP ROLE tgt@localhost", ("tgt",)), ("DROP ROLE tgt_sys@localhost", ("tgt_sys",)), ("DROP ROLE rol_free, rol_sys", ("rol_free", "rol_sys")), ("DROP USER rol_sys", ("rol_sys",)), ("RENAME USER rol_free TO nr", ("newrole", "rol_free")))]
    for role in ("rol_free", "rol_read", "rol_all", "rol_sys", "gone", "tgt@localhost", "tgt_sys@localhost"):
        out += [S(f"GRANT {role} TO tgt@localhost", undo=("tgt",) if "tgt@" not in role else ()), S(f"GRANT {role} TO tgt_sys@localhost", undo=("tgt_sys",)), S(f"REVOKE {role} FROM tgt@localhost", undo=("tgt",)), S(f"REVOKE {role} FROM tgt_role@localhost", undo=("tgt_role",)), S(f"GRANT {role} TO tgt@localhost WITH ADMIN OPTION", undo=("tgt",))]
        out += [S(f"SET ROLE {role}", fresh=True), S([f"GRANT {role} TO {{me}}", f"SET ROLE {role}", "SELECT secret FROM mxb.s1", f"REVOKE {role} FROM {{me}}"], fresh=True, without=tuple(a for a in HOLDERS)),]
    out += [S(s, fresh=True) for s in ("SET ROLE NONE", "SET ROLE ALL", "SET ROLE DEFAULT", "SET ROLE ALL EXCEPT rol_read", "SET DEFAULT ROLE rol_free TO tgt@localhost", "SET DEFAULT ROLE gone TO tgt@localhost")]
    out += [S(["SET ROLE NONE", "SELECT count(*) FROM mxa.t1", "SELECT current_role()"], fresh=True), S(["SET ROLE ALL", "SELECT count(*) FROM mxa.t1", "SELECT count(*) FROM mxb.s1"], fresh=True), S(["SET ROLE rol_all", "SELECT count(*) > 9 FROM mysql.user", "SELECT secret FROM mxb.s1"], fresh=True), S("GRANT rol_free TO rol_read", undo=("REVOKE rol_free FROM rol_read",)),
            S("GRANT rol_read TO rol_free", undo=("rol_free",)), S("REVOKE IF EXISTS rol_free FROM tgt@localhost"), S("REVOKE rol_gone FROM tgt@localhost IGNORE UNKNOWN USER"), S("GRANT rol_free, rol_sys TO tgt@localhost", undo=("tgt",))]
    return out


HOLDERS = ("r_default", "r_idle", "r_nested", "r_with_admin", "r_everything", "r_everything_idle", "r_system", "r_columns", "p_role")


def grants():
    out = []
    levels = {"*.*": ("SELECT", "CREATE USER", "SUPER", "ALL", "SYSTEM_USER", "XA_RECOVER_ADMIN", "PROCESS", "FILE", "GRANT OPTION", "SYSTEM_VARIABLES_ADMIN", "USAGE"), "mxa.*": ("SELECT", "INSERT", "ALL", "CREATE", "DROP", "LOCK TABLES", "GRANT OPTION"),
              "mxb.*": ("SELECT", "ALL"), "mxa.t1": ("SELECT", "UPDATE", "DELETE", "ALL", "SELECT (id)", "UPDATE (pub)", "SELECT (secret)", "SELECT, INSERT", "SELECT (id), INSERT (secret)", "REFERENCES", "TRIGGER", "SELECT (gone)", "GRANT OPTION"), "mxb.s1": ("SELECT", "SELECT (id)"), "mxa.vd": ("SELECT", "SHOW VIEW"), "mxa.gone": ("SELECT", "CREATE"), "gone.*": ("SELECT",), "mysql.*": ("SELECT",), "mysql.user": ("UPDATE",), "performance_schema.*": ("SELECT", "INSERT", "ALL"), "information_schema.*": ("SELECT",), "information_schema.tables": ("SELECT",)}
    for level, privileges in levels.items():
        for p in privileges:
            out.append(S(f"GRANT {p} ON {level} TO tgt@localhost", undo=("tgt",)))
            out.append(S(f"REVOKE {p} ON {level} FROM tgt@localhost", undo=("tgt",)))
    for p, level in (("SELECT", "*.*"), ("SELECT", "mxa.*"), ("SELECT", "mxa.t1"), ("SYSTEM_USER", "*.*"), ("SELECT (id)", "mxa.t1")):
        out += [S(f"GRANT {p} ON {level} TO tgt_sys@localhost", undo=("tgt_sys",)), S(f"REVOKE {p} ON {level} FROM tgt_sys@localhost", undo=("tgt_sys",)), S(f"GRANT {p} ON {level} TO rol_free", undo=("rol_free",)), S(f"GRANT {p} ON {level} TO gone@localhost"), S(f"GRANT {p} ON {level} TO tgt@localhost WITH GRANT OPTION", undo=("tgt",)), S(f"REVOKE {p} ON {level} FROM gone@localhost")]
    out += [S(s, undo=u) for s, u in (
        ("REVOKE ALL PRIVILEGES, GRANT OPTION FROM tgt@localhost", ("tgt",)), ("REVOKE ALL PRIVILEGES, GRANT OPTION FROM tgt_sys@localhost", ("tgt_sys",)), ("REVOKE SELECT ON mxb.* FROM tgt_sys@localhost", ("tgt_sys",)), ("GRANT PROXY ON tgt@localhost TO tgt_sys@localhost", ("tgt_sys",)), ("GRANT PROXY ON tgt_sys@localhost TO tgt@localhost", ("tgt",)), ("REVOKE PROXY ON tgt@localhost FROM tgt_sys@localhost", ()),
        ("GRANT SELECT ON *.* TO tgt@localhost AS root@localhost", ("tgt",)), ("GRANT SELECT ON *.* TO tgt@localhost AS tgt@localhost WITH ROLE NONE", ("tgt",)), ("GRANT SELECT ON mxa.* TO tgt@localhost AS root@localhost", ("tgt",)), ("GRANT EXECUTE ON PROCEDURE mxa.gone TO tgt@localhost", ()), ("GRANT EXECUTE ON FUNCTION mxb.gone TO tgt@localhost", ()), ("REVOKE EXECUTE ON PROCEDURE mxa.gone FROM tgt@localhost", ()), ("GRANT GONE_ADMIN ON *.* TO tgt@localhost", ()), ("GRANT SYSTEM_USER ON mxa.* TO tgt@localhost", ()),
        ("GRANT FILE ON mxa.* TO tgt@localhost", ()), ("GRANT RELOAD ON mxa.t1 TO tgt@localhost", ()), ("GRANT SELECT, CREATE USER ON *.* TO tgt@localhost, tgt_definer@localhost", ("tgt", "tgt_definer")), ("GRANT SELECT ON mxa.t1 TO tgt@localhost, gone@localhost", ("tgt",)), ("REVOKE IF EXISTS SELECT ON mxa.t2 FROM tgt@localhost", ()), ("REVOKE SELECT ON mxa.t2 FROM tgt@localhost", ()), ("REVOKE IF EXISTS SELECT ON mxa.t1 FROM gone@localhost IGNORE UNKNOWN USER", ()))]
    return out


def statements():
    return user_statements() + role_statements() + grants()
