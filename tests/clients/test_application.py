"""A complete application: a lending library in Django (application/), used through its admin as a person would, over HTTP requests of Django's test client.

Migrations with rows in the tables, forwards, backwards and again; log in; create, search, filter, page, edit, withdraw, delete; reports as an ORM
writes them; dump, empty, load. APPLICATION_SERVER=mariadb runs the same on MariaDB.
"""
import datetime
import decimal
import json
import os
import pathlib
import subprocess
import sys
import uuid

import pytest

from lib.servers import MariaDB, Server

APPLICATION = pathlib.Path(__file__).parent / "application"


def give_pymysql_back():
    """Django imports MySQLdb.constants and the like; as that name stands for PyMySQL here, Python hangs second copies of its modules into it, with error
    classes that the other tests of this process would not catch."""
    for name in [n for n in sys.modules if n.split(".")[0] == "MySQLdb"]:
        del sys.modules[name]
    for name in [n for n in sys.modules if n.startswith("pymysql.") and n.count(".") == 1]:
        setattr(sys.modules["pymysql"], name.split(".")[1], sys.modules[name])


@pytest.fixture(scope="module")
def app():
    """The server, the migrated application and some rows; gives a function that runs a management command in a process of its own."""
    server = (MariaDB if os.environ.get("APPLICATION_SERVER") == "mariadb" else Server)().start()
    server.query("CREATE DATABASE library CHARACTER SET utf8mb4")
    environment = {"LIBRARY_SOCKET": server.socket, "DJANGO_SETTINGS_MODULE": "settings"}

    def manage(*arguments):
        done = subprocess.run([sys.executable, "-m", "django", *arguments], env={**os.environ, **environment, "PYTHONPATH": str(APPLICATION)},
                              capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    manage.server = server
    manage("migrate", "library", "0001", "-v", "0")
    manage("migrate", "auth", "-v", "0")
    # rows that the second migration must carry along
    with server.connect(database="library") as c, c.cursor() as cur:
        cur.execute("INSERT INTO auth_user (password, is_superuser, username, first_name, last_name, email, is_staff, is_active, date_joined) "
                    "VALUES ('!', 0, 'ann', 'Ann', 'Ash', 'ann@example.org', 0, 1, NOW(6))")
        cur.execute("INSERT INTO library_publisher (name, city, fax) VALUES ('Old House', 'Leeds', '1'), ('Zweig & Ast', 'Köln', '2')")
        cur.execute("INSERT INTO library_author (full_name, born) VALUES ('Ida Öst', '1920-02-29'), ('莫言', NULL)")
        cur.executemany("INSERT INTO library_book (title, isbn, published, pages, price, added, publisher_id) VALUES (%s, %s, %s, %s, %s, NOW(6), 1 + %s %% 2)",
                        [(f"Volume {i:02}", f"X{i:06}", f"{1960 + i}-0{1 + i % 9}-01", None if i % 7 == 0 else 100 + i, 9.99 + i, i) for i in range(40)])
        cur.execute("INSERT INTO library_book_authors (book_id, author_id) SELECT id, 1 FROM library_book UNION ALL SELECT id, 2 FROM library_book WHERE id % 3 = 0")
        cur.execute("INSERT INTO library_lending (lent, days, book_id, reader_id) SELECT '2026-01-01 10:00:00.5' + INTERVAL id DAY, 10 + id, id, 1 FROM library_book WHERE id <= 30")
    manage("migrate", "-v", "0")
    sys.path.insert(0, str(APPLICATION))
    os.environ.update(environment)
    import django
    django.setup()
    from django.db import connection
    from django.test.utils import setup_test_environment, teardown_test_environment
    setup_test_environment()  # so that pages tell what they were made from
    yield manage
    teardown_test_environment()
    connection.close()
    give_pymysql_back()
    assert server.alive(), server.log_tail()
    assert server.stop() == 0
    server.remove()


@pytest.fixture(scope="module")
def site(app):
    """A browser of the admin, logged in as its superuser."""
    from django.contrib.auth.models import User
    from django.test import Client
    User.objects.create_superuser("boss", "boss@example.org", "secret")
    client = Client(enforce_csrf_checks=False)
    assert client.get("/admin/").status_code == 302
    page = client.post("/admin/login/?next=/admin/", {"username": "boss", "password": "wrong"})
    assert b"Please enter the correct username" in page.content
    page = client.post("/admin/login/?next=/admin/", {"username": "boss", "password": "secret"})
    assert page.status_code == 302 and page["Location"] == "/admin/"
    return client


def book_form(**changes):
    return {"title": "The Even Keel", "isbn": "9780000000017", "publisher": 1, "authors": [1, 2], "published": "2026-11-21", "pages": 321, "price": "24.50",
            "rating": "4.5", "properties": '{"cover": "hard", "weights": [300, 12.5], "note": "grün"}', "available": "on",
            "loans-TOTAL_FORMS": 0, "loans-INITIAL_FORMS": 0, **changes}


def rows(page):
    """The titles that a list of books shows."""
    return [book.title for book in page.context["cl"].result_list]


def test_migrations_carry_rows_along(app):
    from library.models import Book, Loan
    assert Book.objects.count() == 40 and Loan.objects.count() == 30
    assert Book.objects.filter(pages=0).count() == 6
    first = Loan.objects.order_by("pk").first()
    assert first.period == datetime.timedelta(days=11) and isinstance(first.number, uuid.UUID)
    assert first.lent == datetime.datetime(2026, 1, 2, 10, 0, 0, 500000, tzinfo=datetime.timezone.utc)
    assert Book.objects.get(isbn="X000001").price == decimal.Decimal("10.99")
    assert "No changes detected" in app("makemigrations", "--check", "--dry-run")
    assert "[ ]" not in app("showmigrations")


def test_migrations_backwards_and_again(app):
    before = app("dumpdata", "library.book", "library.author", "library.publisher")
    app("migrate", "library", "0001", "-v", "0")
    assert {c[0] for c in app.server.query("SHOW COLUMNS FROM library_lending", "library")} == {"id", "lent", "days", "returned", "book_id", "reader_id"}
    app("migrate", "-v", "0")
    assert json.loads(app("dumpdata", "library.book", "library.author", "library.publisher")) == json.loads(before)


def test_inspectdb_and_check(app):
    text = app("inspectdb")
    for line in ("class LibraryBook(models.Model):", "isbn = models.CharField(unique=True, max_length=13)", "price = models.DecimalField(max_digits=8, decimal_places=2)",
                 "publisher = models.ForeignKey('LibraryPublisher', models.DO_NOTHING)", "number = models.CharField(unique=True, max_length=32)"):
        assert line in text, text
    assert "no issues" in app("check", "--database", "default")


def test_create(site):
    from library.models import Book
    page = site.post("/admin/library/book/add/", book_form())
    assert page.status_code == 302, page.context and page.context["adminform"].form.errors
    book = Book.objects.get(isbn="9780000000017")
    assert book.price == decimal.Decimal("24.50") and book.properties == {"cover": "hard", "weights": [300, 12.5], "note": "grün"}
    assert [a.name for a in book.authors.all()] == ["Ida Öst", "莫言"]
    assert (datetime.datetime.now(datetime.timezone.utc) - book.added).total_seconds() < 60


def test_what_is_wrong_is_refused(site):
    """By the form where Django looks first, by the server where it does not."""
    from django.db import IntegrityError, transaction
    from library.models import Book
    page = site.post("/admin/library/book/add/", book_form(title="Another"))
    assert b"Book with this Isbn already exists." in page.content
    page = site.post("/admin/library/book/add/", book_form(isbn="1", price="-1"))
    assert b"Constraint" in page.content and "book_price_not_negative" in page.content.decode()
    count = Book.objects.count()
    for change in ({"isbn": "9780000000017", "title": "x"}, {"isbn": "2", "price": -1, "title": "y"}, {"isbn": "3", "publisher_id": 999, "title": "z"}, {"isbn": "4"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Book.objects.create(**{"title": "The Even Keel", "publisher_id": 1, "published": "2020-01-01", "pages": 1, "price": 1, **change})
    assert Book.objects.count() == count


def test_search_filter_and_page(site):
    url = "/admin/library/book/"
    assert len(rows(site.get(url))) == 10 and site.get(url).context["cl"].result_count == 41
    assert rows(site.get(url, {"p": 5})) == ["Volume 39"]
    assert rows(site.get(url, {"q": "keel"})) == ["The Even Keel"]
    assert site.get(url, {"q": "ZWEIG öst"}).context["cl"].result_count == 20
    assert site.get(url, {"q": "莫言"}).context["cl"].result_count == 14
    assert rows(site.get(url, {"q": "100%"})) == rows(site.get(url, {"q": "_"})) == []
    assert rows(site.get(url, {"published__year": 1999, "published__month": 4})) == ["Volume 39"]
    assert site.get(url, {"publisher__id__exact": 1, "available__exact": 1}).context["cl"].result_count == 21
    assert rows(site.get(url, {"o": "-5"}))[:2] == ["Volume 39", "Volume 38"]
    assert len(site.get(url).context["cl"].get_queryset(site.get(url).wsgi_request)) == 41


def test_edit(site):
    from library.models import Book, Loan
    book = Book.objects.get(isbn="9780000000017")
    url = f"/admin/library/book/{book.pk}/change/"
    assert b"The Even Keel" in site.get(url).content
    number = uuid.uuid4()
    page = site.post(url, book_form(title="The Even Keel, second edition", authors=[2], rating="", **{
        "loans-TOTAL_FORMS": 1, "loans-0-reader": 1, "loans-0-lent_0": "2026-11-20", "loans-0-lent_1": "09:30:00", "loans-0-period": "14 00:00:00", "loans-0-number": str(number)}))
    assert page.status_code == 302, page.context["errors"]
    book.refresh_from_db()
    assert book.title.endswith("second edition") and book.rating is None and [a.name for a in book.authors.all()] == ["莫言"]
    assert Loan.objects.get(number=number).book == book
    assert "Changed Title" in site.get(f"/admin/library/book/{book.pk}/history/").content.decode()
    listed = site.get("/admin/library/book/", {"q": "keel"})
    page = site.post("/admin/library/book/?q=keel", {"form-TOTAL_FORMS": 1, "form-INITIAL_FORMS": 1, "form-0-id": book.pk, "form-0-price": "19.90", "_save": "Save"})
    assert listed.status_code == 200 and page.status_code == 302
    book.refresh_from_db()
    assert book.price == decimal.Decimal("19.90")


def test_action_and_delete(site):
    from django.contrib.admin.models import LogEntry
    from library.models import Book, Loan
    some = list(Book.objects.filter(title__startswith="Volume 0").values_list("pk", flat=True))
    page = site.post("/admin/library/book/", {"action": "withdraw", "_selected_action": some}, follow=True)
    assert b"10 withdrawn" in page.content and Book.objects.filter(available=False).count() == 10
    page = site.post("/admin/library/book/", {"action": "delete_selected", "_selected_action": some[:2]})
    assert b"Are you sure" in page.content
    loans = Loan.objects.count()
    page = site.post("/admin/library/book/", {"action": "delete_selected", "_selected_action": some[:2], "post": "yes"}, follow=True)
    assert b"Successfully deleted 2 books" in page.content and Loan.objects.count() == loans - 2
    page = site.post("/admin/library/publisher/1/delete/", {"post": "yes"})
    assert b"protected" in page.content and page.status_code == 200
    book = Book.objects.get(isbn="9780000000017")
    assert site.post(f"/admin/library/book/{book.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Book.objects.filter(pk=book.pk).exists() and not Loan.objects.filter(book_id=book.pk).exists()
    assert LogEntry.objects.count() >= 6


def test_reports(app):
    from django.db.models import Avg, Count, Exists, F, Max, OuterRef, Q, Subquery, Sum, Value, Window
    from django.db.models.functions import Coalesce, Concat, ExtractYear, Lower, Rank, TruncMonth
    from library.models import Author, Book, Loan, Publisher
    by_publisher = Publisher.objects.annotate(n=Count("books", distinct=True), lent=Count("books__loans"), total=Coalesce(Sum("books__price"), Value(decimal.Decimal(0))))
    direct = {p.name: (p.books.count(), Loan.objects.filter(book__publisher=p).count()) for p in Publisher.objects.all()}
    assert {p.name: (p.n, p.lent) for p in by_publisher} == direct
    assert Book.objects.aggregate(Avg("price"), Max("pages"))["pages__max"] == 139
    newest = Book.objects.filter(publisher=OuterRef("pk")).order_by("-published").values("title")[:1]
    assert list(Publisher.objects.annotate(newest=Subquery(newest)).values_list("newest", flat=True)) == ["Volume 38", "Volume 39"]
    assert Book.objects.filter(~Exists(Loan.objects.filter(book=OuterRef("pk")))).count() == Book.objects.filter(loans=None).count()
    ranked = Book.objects.annotate(r=Window(Rank(), partition_by="publisher", order_by=F("price").desc())).filter(r__lte=2)
    assert ranked.count() == 4
    assert Book.objects.annotate(label=Concat(Lower("title"), Value(" / "), "publisher__name")).filter(label="volume 11 / zweig & ast").exists()
    assert Book.objects.annotate(y=ExtractYear("published")).filter(y__in=[1990, 1991]).count() == 2
    assert Loan.objects.annotate(m=TruncMonth("lent")).values("m").annotate(n=Count("pk")).count() >= 1
    assert Loan.objects.filter(lent__gt=F("lent") - F("period")).count() == Loan.objects.count()
    Book.objects.filter(isbn="X000020").update(properties={"cover": "soft", "sizes": [1, 2, {"deep": True}]})
    assert Book.objects.filter(properties__cover="soft", properties__sizes__2__deep=True).count() == 1
    assert Book.objects.filter(properties__has_key="cover").exclude(properties__contains={"cover": "hard"}).count() == 1
    assert Author.objects.filter(Q(name__icontains="ÖST") | Q(name__regex="^莫")).count() == 2
    assert Author.objects.filter(name="ida öst").count() == 1, "the collation does not care for case"
    both = Book.objects.filter(pages__lt=110).union(Book.objects.filter(pages__gt=135)).order_by("-pages")
    assert [b.pages for b in both][:4] == [139, 138, 137, 136]
    assert len(Book.objects.prefetch_related("authors", "loans__reader").select_related("publisher")) == 38


def test_writes_of_an_orm(app):
    from django.db import connection, transaction
    from django.db.models import Case, F, Value, When
    from library.models import Author, Book, Publisher
    Author.objects.bulk_create([Author(name=f"A{i}") for i in range(500)], batch_size=200)
    made = list(Author.objects.filter(name__startswith="A").order_by("pk"))
    for author in made:
        author.biography = f"about {author.name}"
    assert Author.objects.bulk_update(made, ["biography"], batch_size=100) == 500
    Publisher.objects.bulk_create([Publisher(name="Old House", city="York"), Publisher(name="New", city="Hull")], update_conflicts=True, update_fields=["city"])
    assert list(Publisher.objects.values_list("name", "city")) == [("New", "Hull"), ("Old House", "York"), ("Zweig & Ast", "Köln")]
    Publisher.objects.bulk_create([Publisher(name="NEW", city="lost")], ignore_conflicts=True)
    assert Publisher.objects.get_or_create(name="New")[1] is False and Publisher.objects.count() == 3
    Book.objects.update(rating=Case(When(pages__gt=120, then=Value(5.0)), default=F("pages") / 100.0))
    with transaction.atomic():
        locked = Book.objects.select_for_update(of=("self",), skip_locked=True).select_related("publisher").get(isbn="X000021")
        try:
            with transaction.atomic():
                Book.objects.filter(pk=locked.pk).update(pages=1)
                raise KeyError
        except KeyError:
            pass
    assert Book.objects.get(pk=locked.pk).pages == 0
    assert Author.objects.filter(name__startswith="A").delete()[0] == 500
    assert "rows" in Book.objects.filter(isbn="X000021").explain() or connection.vendor == "mysql"


def dumped(text):
    """dumpdata's objects. Django writes a time's milliseconds whenever its microseconds are not 0: 0.2 ms is
    ".000Z" and comes back from loaddata as "Z", so the two are the same here."""
    return json.loads(text.replace(".000Z", "Z"))


def test_dump_flush_load(app, tmp_path):
    file = tmp_path / "all.json"
    what = ("library", "auth.user", "--natural-foreign")
    before = dumped(app("dumpdata", *what))
    file.write_text(json.dumps(before))
    app("flush", "--no-input")
    assert json.loads(app("dumpdata", *what)) == []
    app("loaddata", str(file))
    assert dumped(app("dumpdata", *what)) == before
