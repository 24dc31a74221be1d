"""Passwords that the server makes: told once, of the length asked for, and good for a login."""

import pymysql
import pytest


def rows(conn, sql):
    with conn.cursor() as cur:
        cur.execute(sql)
        return [d[0] for d in cur.description], cur.fetchall()


def test_random_passwords(server):
    with server.connect() as c:
        names, made = rows(c, "CREATE USER a@localhost IDENTIFIED BY RANDOM PASSWORD, b IDENTIFIED BY 'x', c@localhost IDENTIFIED BY RANDOM PASSWORD")
        assert names == ["user", "host", "generated password", "auth_factor"]
        assert [(r[0], r[1], r[3]) for r in made] == [("a", "localhost", 1), ("c", "localhost", 1)]
        first = made[0][2]
        assert len(first) == 20 and first != made[1][2]
        server.connect(user="a", password=first).close()
        c.cursor().execute("SET generated_random_password_length = 30")
        for sql in ("ALTER USER a@localhost IDENTIFIED BY RANDOM PASSWORD", "SET PASSWORD FOR a@localhost TO RANDOM"):
            _, made = rows(c, sql)
            assert [r[:2] for r in made] == [("a", "localhost")] and len(made[0][2]) == 30
            with pytest.raises(pymysql.err.OperationalError):
                server.connect(user="a", password=first)
            first = made[0][2]
            server.connect(user="a", password=first).close()
        # an account that is there keeps its password, and none is told
        cur = c.cursor()
        cur.execute("CREATE USER IF NOT EXISTS a@localhost IDENTIFIED BY RANDOM PASSWORD")
        assert cur.description is None
        server.connect(user="a", password=first).close()
        cur.execute("DROP USER a@localhost, b, c@localhost")
