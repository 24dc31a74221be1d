"""Publishers, authors, books and loans: every relation and most field types that applications use."""
from django.conf import settings
from django.db import models
from django.db.models.functions import Lower


class Publisher(models.Model):
    name = models.CharField(max_length=80, unique=True)
    city = models.CharField(max_length=80, blank=True)

    class Meta:
        ordering = ["name"]

    def __str__(self):
        return self.name


class Author(models.Model):
    name = models.CharField(max_length=120, db_index=True)
    born = models.DateField(null=True, blank=True)
    biography = models.TextField(blank=True)

    class Meta:
        ordering = ["name"]

    def __str__(self):
        return self.name


class Book(models.Model):
    title = models.CharField(max_length=200)
    isbn = models.CharField(max_length=13, unique=True)
    publisher = models.ForeignKey(Publisher, on_delete=models.PROTECT, related_name="books")
    authors = models.ManyToManyField(Author, related_name="books")
    published = models.DateField()
    pages = models.PositiveSmallIntegerField()
    price = models.DecimalField(max_digits=8, decimal_places=2)
    rating = models.FloatField(null=True, blank=True)
    properties = models.JSONField(default=dict, blank=True)
    available = models.BooleanField(default=True)
    added = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["title"]
        indexes = [models.Index(fields=["published", "title"], name="book_by_date"), models.Index(Lower("title"), name="book_by_lower_title")]
        constraints = [models.CheckConstraint(condition=models.Q(price__gte=0), name="book_price_not_negative"),
                       models.UniqueConstraint(fields=["publisher", "title"], name="book_once_per_publisher")]

    def __str__(self):
        return self.title


class Loan(models.Model):
    book = models.ForeignKey(Book, on_delete=models.CASCADE, related_name="loans")
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="loans")
    lent = models.DateTimeField()
    period = models.DurationField()
    returned = models.DateTimeField(null=True, blank=True)
    number = models.UUIDField(unique=True)

    class Meta:
        ordering = ["-lent"]

    def __str__(self):
        return f"{self.book} to {self.reader}"
