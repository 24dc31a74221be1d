"""Who asks: an account for each single privilege at each level, and those whose rights come another way (roles, partial revokes, views).

`ACCOUNTS` maps a name to the statements that make its rights (run by root after CREATE USER); `BYSTANDERS` are accounts that nobody logs in as: targets of
account statements, definers and roles.
"""

STATIC = ("SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "RELOAD", "SHUTDOWN", "PROCESS", "FILE", "REFERENCES", "INDEX", "ALTER", "SHOW DATABASES", "SUPER",
          "CREATE TEMPORARY TABLES", "LOCK TABLES", "EXECUTE", "REPLICATION SLAVE", "REPLICATION CLIENT", "CREATE VIEW", "SHOW VIEW", "CREATE ROUTINE", "ALTER ROUTINE",
          "CREATE USER", "EVENT", "TRIGGER", "CREATE TABLESPACE", "CREATE ROLE", "DROP ROLE", "GRANT OPTION")
OF_DATABASES = ("SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "REFERENCES", "INDEX", "ALTER", "CREATE TEMPORARY TABLES", "LOCK TABLES", "EXECUTE", "CREATE VIEW",
                "SHOW VIEW", "CREATE ROUTINE", "ALTER ROUTINE", "EVENT", "TRIGGER", "GRANT OPTION")
OF_TABLES = ("SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "REFERENCES", "INDEX", "ALTER", "CREATE VIEW", "SHOW VIEW", "TRIGGER", "GRANT OPTION")
OF_COLUMNS = ("SELECT (id)", "SELECT (id, pub)", "SELECT (secret)", "INSERT (id)", "UPDATE (pub)", "REFERENCES (id)")
DYNAMIC = ("ALLOW_NONEXISTENT_DEFINER", "APPLICATION_PASSWORD_ADMIN", "AUDIT_ABORT_EXEMPT", "AUDIT_ADMIN", "AUTHENTICATION_POLICY_ADMIN", "BACKUP_ADMIN", "BINLOG_ADMIN",
           "BINLOG_ENCRYPTION_ADMIN", "CLONE_ADMIN", "CONNECTION_ADMIN", "ENCRYPTION_KEY_ADMIN", "FIREWALL_EXEMPT", "FLUSH_OPTIMIZER_COSTS", "FLUSH_PRIVILEGES",
           "FLUSH_STATUS", "FLUSH_TABLES", "FLUSH_USER_RESOURCES", "GROUP_REPLICATION_ADMIN", "GROUP_REPLICATION_STREAM", "INNODB_REDO_LOG_ARCHIVE",
           "INNODB_REDO_LOG_ENABLE", "OPTIMIZE_LOCAL_TABLE", "PASSWORDLESS_USER_ADMIN", "PERSIST_RO_VARIABLES_ADMIN", "REPLICATION_APPLIER", "REPLICATION_SLAVE_ADMIN",
           "RESOURCE_GROUP_ADMIN", "RESOURCE_GROUP_USER", "ROLE_ADMIN", "SENSITIVE_VARIABLES_OBSERVER", "SERVICE_CONNECTION_ADMIN", "SESSION_VARIABLES_ADMIN",
           "SET_ANY_DEFINER", "SHOW_ROUTINE", "SYSTEM_USER", "SYSTEM_VARIABLES_ADMIN", "TABLE_ENCRYPTION_ADMIN", "TELEMETRY_LOG_ADMIN", "TRANSACTION_GTID_TAG",
           "XA_RECOVER_ADMIN")


def word(privilege):
    return privilege.lower().replace(" (", "_").replace(", ", "_").replace(" ", "_").replace(")", "")


def single():
    """Each privilege alone, at each level."""
    out = {}
    for p in STATIC:
        out["g_" + word(p)] = [f"GRANT {p} ON *.* TO {{}}"]
    for p in DYNAMIC:
        out[word(p)] = [f"GRANT {p} ON *.* TO {{}}"]
    for p in OF_DATABASES:
        out["d_" + word(p)] = [f"GRANT {p} ON mxa.* TO {{}}"]
    for p in OF_TABLES:
        out["t_" + word(p)] = [f"GRANT {p} ON mxa.t1 TO {{}}"]
    for p in OF_COLUMNS:
        out["c_" + word(p)] = [f"GRANT {p} ON mxa.t1 TO {{}}"]
    return out


OTHERS = {
    "nobody": [],
    # administrators
    "admin": ["GRANT ALL ON *.* TO {} WITH GRANT OPTION"],
    "g_all": ["GRANT ALL ON *.* TO {}"],
    "cu_system": ["GRANT CREATE USER ON *.* TO {}", "GRANT SYSTEM_USER ON *.* TO {}"],
    "cu_role_admin": ["GRANT CREATE USER ON *.* TO {}", "GRANT ROLE_ADMIN ON *.* TO {}"],
    "cu_password": ["GRANT CREATE USER ON *.* TO {}", "GRANT APPLICATION_PASSWORD_ADMIN ON *.* TO {}"],
    "reader_grants": ["GRANT SELECT ON *.* TO {} WITH GRANT OPTION"],
    "variables": ["GRANT SYSTEM_VARIABLES_ADMIN, PERSIST_RO_VARIABLES_ADMIN, SENSITIVE_VARIABLES_OBSERVER ON *.* TO {}"],
    "dyn_grants": ["GRANT XA_RECOVER_ADMIN ON *.* TO {} WITH GRANT OPTION"],
    # of one database or table
    "d_all": ["GRANT ALL ON mxa.* TO {}"],
    "d_all_grant": ["GRANT ALL ON mxa.* TO {} WITH GRANT OPTION"],
    "d_dml": ["GRANT SELECT, INSERT, UPDATE, DELETE ON mxa.* TO {}"],
    "d_lock_select": ["GRANT SELECT, LOCK TABLES ON mxa.* TO {}"],
    "d_ddl": ["GRANT CREATE, DROP, ALTER, INSERT ON mxa.* TO {}"],
    "both_create": ["GRANT CREATE, INSERT ON mxb.* TO {}", "GRANT ALTER, DROP ON mxa.* TO {}"],
    "t_all": ["GRANT ALL ON mxa.t1 TO {}"],
    "t_all_grant": ["GRANT ALL ON mxa.t1 TO {} WITH GRANT OPTION"],
    "t_select_insert": ["GRANT SELECT, INSERT ON mxa.t1 TO {}"],
    "t_select_update": ["GRANT SELECT, UPDATE ON mxa.t1 TO {}"],
    "c_mixed": ["GRANT SELECT (id), UPDATE (pub) ON mxa.t1 TO {}"],
    "c_insert_select": ["GRANT INSERT (id, pub), SELECT (id) ON mxa.t1 TO {}"],
    "mysql_select": ["GRANT SELECT ON mysql.* TO {}"],
    "mysql_user_select": ["GRANT SELECT ON mysql.user TO {}"],
    "ps_select": ["GRANT SELECT ON performance_schema.* TO {}"],
    "ps_update": ["GRANT UPDATE, DROP ON performance_schema.* TO {}"],
    # views
    "v_vd": ["GRANT SELECT ON mxa.vd TO {}"],
    "v_vi": ["GRANT SELECT ON mxa.vi TO {}"],
    "v_vi_t1": ["GRANT SELECT ON mxa.vi TO {}", "GRANT SELECT ON mxa.t1 TO {}"],
    "v_vi_column": ["GRANT SELECT ON mxa.vi TO {}", "GRANT SELECT (id) ON mxa.t1 TO {}"],
    "v_vd_column": ["GRANT SELECT (id) ON mxa.vd TO {}"],
    "v_all_views": ["GRANT SELECT ON mxa.{} TO {{}}".format(v) for v in ("vd", "vi", "vdi", "vid", "vx", "vb", "vbd", "vs")],
    "v_show": ["GRANT SELECT, SHOW VIEW ON mxa.vd TO {}", "GRANT SELECT, SHOW VIEW ON mxa.vi TO {}"],
    "v_show_t1": ["GRANT SELECT, SHOW VIEW ON mxa.vd TO {}", "GRANT SELECT, SHOW VIEW ON mxa.vi TO {}", "GRANT SELECT ON mxa.t1 TO {}"],
    "v_write": ["GRANT INSERT, UPDATE, DELETE ON mxa.vd TO {}", "GRANT INSERT, UPDATE, DELETE ON mxa.vi TO {}"],
    "v_maker": ["GRANT CREATE VIEW, DROP ON mxa.* TO {}", "GRANT SELECT ON mxa.t1 TO {}"],
    "v_maker_definer": ["GRANT CREATE VIEW, DROP, SELECT ON mxa.* TO {}", "GRANT SET_ANY_DEFINER ON *.* TO {}"],
    # roles
    "r_default": ["GRANT rol_read TO {}", "ALTER USER {} DEFAULT ROLE ALL"],
    "r_idle": ["GRANT rol_read TO {}"],
    "r_nested": ["GRANT rol_nest TO {}", "ALTER USER {} DEFAULT ROLE ALL"],
    "r_with_admin": ["GRANT rol_read TO {} WITH ADMIN OPTION"],
    "r_everything": ["GRANT rol_all TO {}", "ALTER USER {} DEFAULT ROLE ALL"],
    "r_everything_idle": ["GRANT rol_all TO {}"],
    "r_system": ["GRANT rol_sys TO {}", "GRANT CREATE USER ON *.* TO {}", "ALTER USER {} DEFAULT ROLE ALL"],
    "r_columns": ["GRANT rol_col TO {}", "ALTER USER {} DEFAULT ROLE ALL"],
    # partial revokes
    "p_select": ["GRANT SELECT ON *.* TO {}", "REVOKE SELECT ON mxa.* FROM {}"],
    "p_all": ["GRANT ALL ON *.* TO {}", "REVOKE SELECT, CREATE VIEW ON mxa.* FROM {}"],
    "p_dml": ["GRANT SELECT, INSERT, UPDATE, DELETE ON *.* TO {} WITH GRANT OPTION", "REVOKE SELECT, UPDATE ON mxb.* FROM {}"],
    "p_mysql": ["GRANT SELECT, CREATE USER, UPDATE ON *.* TO {}", "REVOKE SELECT, UPDATE ON mysql.* FROM {}"],
    "p_role": ["GRANT SELECT ON *.* TO {}", "REVOKE SELECT ON mxa.* FROM {}", "GRANT rol_col TO {}", "ALTER USER {} DEFAULT ROLE ALL"],
}

ACCOUNTS = {"root": None, **single(), **OTHERS}

ROLES = {
    "rol_read": ["GRANT SELECT ON mxa.* TO rol_read"],
    "rol_nest": ["GRANT rol_read TO rol_nest"],
    "rol_all": ["GRANT ALL ON *.* TO rol_all"],
    "rol_sys": ["GRANT SYSTEM_USER ON *.* TO rol_sys"],
    "rol_col": ["GRANT SELECT (id) ON mxa.t1 TO rol_col"],
    "rol_free": [],
}
# account -> what makes it; `restore` in fixture.py makes them anew
TARGETS = {
    "tgt": ["CREATE USER tgt@localhost COMMENT 'plain'", "GRANT SELECT ON mxa.t1 TO tgt@localhost", "GRANT INSERT ON mxa.* TO tgt@localhost"],
    "tgt_sys": ["CREATE USER tgt_sys@localhost", "GRANT SYSTEM_USER ON *.* TO tgt_sys@localhost", "GRANT SELECT ON mxb.* TO tgt_sys@localhost"],
    "tgt_role": ["CREATE USER tgt_role@localhost", "GRANT rol_sys TO tgt_role@localhost"],
    "tgt_definer": ["CREATE USER tgt_definer@localhost"],
}


def quoted(name):
    return f"`{name}`@localhost"
