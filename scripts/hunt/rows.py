"""The rows of the plan hunt: the same at each run, skewed as real ones are (a few customers have most orders, a few kinds most events), with NULLs."""
import datetime as dt
import json
import random

N = 200_000
EPOCH = dt.datetime(2022, 1, 1)
COUNTRIES = ["de", "us", "fr", "it", "es", "nl", "be", "pl", "se", "no", "dk", "fi", "at", "ch", "gb", "ie", "pt", "gr", "cz", "hu", "ro", "bg", "hr", "si", "sk", "ee", "lv", "lt", "lu", "mt"]
FIRST = ["Anna", "Ben", "Carla", "David", "Emma", "Felix", "Greta", "Hugo", "Ida", "Jonas", "Klara", "Leo", "Mia", "Noah", "Olga", "Paul", "Rosa", "Sam", "Tina", "Uwe", "Vera", "Willi", "Zoe"]
LAST = ["Smith", "Jones", "Müller", "Schmidt", "Garcia", "Martin", "Rossi", "Novak", "Jansen", "Silva", "Popov", "Larsen", "Kovacs", "O'Brien", "de Vries"] + [f"Name{i}" for i in range(400)]
WORDS = """database server index query row table lock page buffer transaction commit rollback isolation snapshot undo redo log recovery crash disk memory cache thread
pool latch mutex wait network packet protocol client session statement parser planner executor join sort group filter scan range key value null string number date time
green red blue black white small large cheap fine steel wood cotton leather glass paper phone chair lamp desk bottle shirt shoe garden kitchen travel music""".split()


def moment(r, days=1400, early=1.0):
    """A moment within so many days, later ones more often if early < 1."""
    return EPOCH + dt.timedelta(seconds=int(days * 86400 * r.random() ** early))


def low(r, n, power=3):
    """1..n, small ones much more often."""
    return 1 + int(n * r.random() ** power)


def text(r, few, many):
    return " ".join(r.choice(WORDS) for _ in range(r.randint(few, many)))


def maybe(r, share, value):
    return None if r.random() < share else value


def customers(r):
    for i in range(1, N + 1):
        made = EPOCH + dt.timedelta(minutes=9 * i + r.randint(0, 300))
        status = r.choices(["active", "pending", "blocked", "deleted"], [88, 6, 2, 4])[0]
        yield (i, f"{r.choice(FIRST).lower()}.{i}@{r.choice(['example.com', 'example.org', 'mail.test'])}", r.choice(FIRST), LAST[low(r, len(LAST), 2) - 1], maybe(r, .7, f"Company {low(r, 5000)}"),
               COUNTRIES[low(r, 30, 2) - 1], maybe(r, .05, f"City{low(r, 400)}"), maybe(r, .3, (EPOCH - dt.timedelta(days=r.randint(6500, 29000))).date()), status, int(r.random() < .02),
               maybe(r, .4, r.randint(0, 1000000) / 100), maybe(r, .85, low(r, i, 2)) if i > 1 else None, made, maybe(r, .2, made + dt.timedelta(hours=r.randint(1, 20000))),
               made + dt.timedelta(days=r.randint(1, 300)) if status == "deleted" else None,
               maybe(r, .5, json.dumps({"lang": r.choice(["en", "de", "fr"]), "news": r.random() < .3, "theme": {"dark": r.random() < .5, "size": r.randint(8, 20)}})))


def categories(r):
    depth = {}
    for i in range(1, 2001):
        parent = None if i <= 10 else r.randint(max(1, i // 6), max(10, i // 3))
        depth[i] = 0 if parent is None else depth[parent] + 1
        yield i, parent, f"Category {i}", depth[i]


def products(r):
    for i in range(1, 20001):
        yield (i, f"SKU-{i:06d}", f"{text(r, 2, 3)} {i}", low(r, 2000, 2), r.randint(99, 50000) / 100, max(0, r.randint(-50, 500)), int(r.random() < .9), maybe(r, .1, r.random() * 20),
               json.dumps({"color": r.choice(["red", "green", "blue", "black"]), "size": r.choice(["S", "M", "L", "XL"]), "tags": r.sample(WORDS, r.randint(0, 4)), "rating": r.randint(0, 50) / 10}), text(r, 5, 30), moment(r))


def orders(r):
    for i in range(1, N + 1):
        at = EPOCH + dt.timedelta(minutes=10 * i + r.randint(0, 600))
        status = r.choices(["done", "sent", "paid", "new", "void"], [80, 8, 5, 3, 4])[0]
        yield (i, low(r, N, 3), low(r, 50, 2), status, at, at + dt.timedelta(hours=r.randint(4, 200)) if status in ("done", "sent") else None, int(10 ** (r.random() * 4) * 100) / 100 + 5,
               r.choices(["EUR", "USD", "GBP"], [70, 20, 10])[0], maybe(r, .9, f"SAVE{low(r, 500)}"), maybe(r, .5, low(r, 20000, 2)), maybe(r, .8, text(r, 3, 20)))


def order_items(r):
    for i in range(1, N + 1):
        for line in range(1, r.choices([1, 2, 3, 4, 8], [40, 30, 15, 10, 5])[0] + 1):
            yield i, line, low(r, 20000, 2), low(r, 10, 4), r.randint(99, 50000) / 100, maybe(r, .8, r.randint(1, 30))


def payments(r):
    for i in range(1, N + 1):
        if i % 12 == 0:
            continue
        state = r.choices(["captured", "failed", "refunded", "open"], [90, 4, 3, 3])[0]
        yield i, i, r.choices(["card", "paypal", "invoice", "cash"], [60, 25, 10, 5])[0], r.randint(500, 500000) / 100, state, None if state in ("open", "failed") else EPOCH + dt.timedelta(minutes=10 * i + r.randint(5, 9000))


def employees(r):
    for i in range(1, 20001):
        yield i, None if i == 1 else max(1, i // r.randint(4, 9)), low(r, 50, 2), f"{r.choice(FIRST)} {r.choice(LAST)}", r.randint(200000, 1200000) / 100, (EPOCH - dt.timedelta(days=r.randint(0, 6000))).date(), maybe(r, .9, (EPOCH + dt.timedelta(days=r.randint(0, 1000))).date())


def events(r):
    for i in range(1, N + 1):
        kind = r.choices(["view", "click", "search", "cart", "login", "logout", "error", "purchase"], [55, 20, 10, 5, 4, 3, 2, 1])[0]
        yield (i, maybe(r, .25, low(r, N, 3)), f"{low(r, 40000, 1) * 7919:032x}", kind, (EPOCH + dt.timedelta(seconds=590 * i + r.randint(0, 3000), milliseconds=r.randint(0, 999))), maybe(r, .3, low(r, 60000, 4)),
               json.dumps({"city": f"City{low(r, 300)}", "page": f"/p/{low(r, 5000)}", "ref": r.choice(["ads", "mail", "direct"]), "n": r.randint(0, 100), "items": [r.randint(1, 99) for _ in range(r.randint(0, 3))]}) if r.random() < .9 else None)


def readings(r):
    for s in range(1, 501):
        for k in range(N // 500):
            if r.random() < .97:
                yield s, EPOCH + dt.timedelta(minutes=15 * k), maybe(r, .02, round(20 + 10 * r.random() + s / 100, 3)), r.choices([0, 1, 2], [90, 8, 2])[0]


def attendance(r):
    for e in range(1, 1001):
        for k in range(N // 1000 + 60):
            if r.random() < .77:
                yield e, (EPOCH + dt.timedelta(days=k)).date(), maybe(r, .05, r.randint(2, 40) / 4)


def posts(r):
    for i in range(1, 50001):
        state = r.choices(["published", "draft", "hidden"], [90, 8, 2])[0]
        yield i, low(r, N, 4), f"post-{i}-{r.choice(WORDS)}", text(r, 3, 8), text(r, 20, 60), state, None if state == "draft" else EPOCH + dt.timedelta(minutes=40 * i), low(r, 100000, 5)


def comments(r):
    for i in range(1, N + 1):
        yield i, low(r, 50000, 2), maybe(r, .6, r.randint(max(1, i - 2000), i - 1)) if i > 1 else None, maybe(r, .1, low(r, N, 3)), text(r, 3, 15), int(r.random() < .95), EPOCH + dt.timedelta(minutes=10 * i)


def pairs(r, count, first, second):
    seen = set()
    while len(seen) < count:
        seen.add((first(r), second(r)))
    return sorted(seen)


def product_attrs(r):
    for i in range(1, 20001):
        for name in r.sample(["color", "size", "brand", "material", "origin", "year", "style", "season", "gender", "rating"], 10):
            if r.random() < .95:
                yield i, name, f"{name}{low(r, 20, 2)}"


def jobs(r):
    for i in range(1, 60001):
        state = r.choices(["done", "ready", "running", "failed"], [93, 4, 1, 2])[0]
        yield i, r.choices(["mail", "thumb", "import", "sync"], [70, 20, 8, 2])[0], state, low(r, 10, 2), moment(r), low(r, 5, 4) - 1, f"worker{low(r, 30, 1)}" if state == "running" else None, json.dumps({"id": i})


def tables():
    """(table, columns, rows) of each table in the order in which they are loaded."""
    made = {
        "countries": lambda r: ((c, f"Country {c}", ["Europe", "America", "North"][i % 3]) for i, c in enumerate(COUNTRIES)), "customers": customers, "categories": categories,
        "products": products, "orders": orders, "order_items": order_items, "payments": payments,
        "departments": lambda r: ((i, f"Department {i}", maybe(r, .1, r.randint(1, 900) * 1000)) for i in range(1, 51)), "employees": employees,
        "events": events, "readings": readings, "attendance": attendance, "posts": posts, "comments": comments, "tags": lambda r: ((i, f"tag{i}") for i in range(1, 1001)),
        "post_tags": lambda r: pairs(r, 120_000, lambda r: r.randint(1, 50000), lambda r: low(r, 1000)),
        "likes": lambda r: ((c, p, EPOCH + dt.timedelta(seconds=c * 331 + p)) for c, p in pairs(r, N, lambda r: low(r, N), lambda r: low(r, 50000))),
        "product_attrs": product_attrs, "jobs": jobs, "numbers": lambda r: ((i,) for i in range(10_000)),
        "calendar": lambda r: (((EPOCH + dt.timedelta(days=i)).date(), (EPOCH + dt.timedelta(days=i)).weekday(), int(i % 37 == 0)) for i in range(2000)),
        "archive": lambda r: ((i, low(r, N), r.randint(500, 500000) / 100, moment(r)) for i in range(1, 30001)),
        "staging": lambda r: ((f"SKU-{i:06d}", maybe(r, .1, r.randint(99, 50000) / 100), r.randint(0, 500)) for i in range(15000, 25000))}
    for name, rows in made.items():
        yield name, "(id, customer_id, session_id, kind, at, duration, payload)" if name == "events" else "", rows(random.Random(name))


def many(tables=2000):
    """Statements that make a schema with so many small tables, keys between them, for introspection."""
    for i in range(tables):
        yield (f"CREATE TABLE t{i:04d} (id INT PRIMARY KEY AUTO_INCREMENT, code VARCHAR(20) NOT NULL COMMENT 'what it is called', parent_id INT, other_id INT, amount DECIMAL(10,2) DEFAULT 0,"
               f" made TIMESTAMP DEFAULT CURRENT_TIMESTAMP, note TEXT, UNIQUE KEY code (code), KEY made (made), KEY other (other_id)"
               + (f", CONSTRAINT fk{i:04d}p FOREIGN KEY (parent_id) REFERENCES t{i // 3:04d} (id) ON DELETE CASCADE" if i else "") + ")")
        if i % 10 == 9:
            yield f"CREATE VIEW v{i:04d} AS SELECT a.id, a.code, b.code AS parent FROM t{i:04d} a LEFT JOIN t{i // 3:04d} b ON b.id = a.parent_id"
