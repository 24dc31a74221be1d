"""A connection that is asked for rows."""


class Db:
    def __init__(self, connection):
        self.c = connection

    def query(self, sql):
        with self.c.cursor() as cur:
            cur.execute(sql)
            return cur.fetchall()
