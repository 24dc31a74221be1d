"""Changes of tables with foreign keys of all actions: counts, errors and rows must agree."""

TABLES = ["p", "c0", "c1", "c2", "c3", "g", "z", "h"]
ACTIONS = ["cascade", "set null", "restrict", "no action"]


def definitions(r):
    """A parent with two keys, four children, a grandchild, a table that refers to itself, and a child by its primary key."""
    def on(choice=ACTIONS):
        return f"on delete {r.choice(choice)} on update {r.choice(choice)}"
    yield "create table p (id int primary key, k varchar(5), unique (k))"
    for i in range(4):
        yield (f"create table c{i} (id int primary key, pid int, pk varchar(5), x int, unique (x),"
               f" foreign key (pid) references p (id) {on()}, foreign key (pk) references p (k) {on()})")
    yield f"create table g (id int primary key, cid int, foreign key (cid) references c0 (id) {on()})"
    yield f"create table z (id int primary key, up int, foreign key (up) references z (id) {on()})"
    yield f"create table h (id int primary key, foreign key (id) references c1 (id) {on(['cascade', 'restrict'])})"


def statement(r):
    """A random INSERT, REPLACE, UPDATE or DELETE."""
    def number():
        return str(r.randrange(12))

    def maybe():
        return "null" if r.random() < 0.2 else number()

    def text():
        return "null" if r.random() < 0.2 else f"'{r.choice('aAbcdef')}'"
    t, kind = r.choice(TABLES), r.random()
    ignore = " ignore" if r.random() < 0.15 else ""
    if kind < 0.5:
        row = {"p": lambda: f"({number()},{text()})", "g": lambda: f"({number()},{maybe()})", "z": lambda: f"({number()},{maybe()})",
               "h": lambda: f"({number()})"}.get(t, lambda: f"({number()},{maybe()},{text()},{maybe()})")
        q = f"insert{ignore} into {t} values " + ",".join(row() for _ in range(r.choice([1, 1, 1, 3])))
        if r.random() < 0.1:
            return q.replace("insert ignore", "insert").replace("insert", "replace", 1)
        return q + f" on duplicate key update id = {number()}" if r.random() < 0.1 and not ignore else q
    if kind < 0.75:
        column = r.choice({"p": ["id", "k"], "g": ["id", "cid"], "z": ["id", "up"], "h": ["id"]}.get(t, ["id", "pid", "pk", "x"]))
        value = text() if column in ("k", "pk") else number() if column == "id" else maybe()
        if r.random() < 0.15:
            value = value if column in ("k", "pk") else f"{column} + {r.randrange(3)}"
            return f"update{ignore} {t} set {column} = {value} where id < {number()} order by id desc"
        return f"update{ignore} {t} set {column} = {value} where id = {number()}"
    q = f"delete{ignore} from {t} where id {r.choice('==<')} {number()}"
    return q + " order by id" if "<" in q else q


class Area:
    name = "foreign_keys"

    def __init__(self, ctx, r):
        self.ctx, self.r = ctx, r

    def run(self, n):
        ctx, r = self.ctx, self.r
        ctx.fresh()
        for q in definitions(r):
            ctx.both(q)
        for step in range(n):
            good = ctx.both(statement(r))
            if (not good or step % 20 == 0) and not all([ctx.same(f"select * from {t}") for t in TABLES]):
                return
