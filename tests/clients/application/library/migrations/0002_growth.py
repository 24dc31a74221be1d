"""What years of use asked for: renames, other types, columns with data moved into them, indexes and constraints on tables that have rows."""
import uuid
from datetime import timedelta

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Lower


def fill(apps, schema_editor):
    for loan in apps.get_model("library", "Loan").objects.order_by("pk").iterator(chunk_size=10):
        loan.number, loan.period = uuid.uuid4(), timedelta(days=loan.days)
        loan.save(update_fields=["number", "period"])
    apps.get_model("library", "Book").objects.filter(pages=None).update(pages=0)


def restore(apps, schema_editor):
    for loan in apps.get_model("library", "Loan").objects.all():
        loan.days = loan.period.days
        loan.save(update_fields=["days"])


class Migration(migrations.Migration):
    dependencies = [("library", "0001_initial")]
    operations = [
        migrations.RenameField("Author", "full_name", "name"),
        migrations.AlterModelOptions("Author", options={"ordering": ["name"]}),
        migrations.AlterField("Author", "name", models.CharField(db_index=True, max_length=120)),
        migrations.AddField("Author", "biography", models.TextField(blank=True, default=""), preserve_default=False),
        migrations.AlterModelOptions("Publisher", options={"ordering": ["name"]}),
        migrations.AlterField("Publisher", "name", models.CharField(max_length=80, unique=True)),
        migrations.RemoveField("Publisher", "fax"),
        migrations.RenameModel("Lending", "Loan"),
        migrations.AddField("Loan", "number", models.UUIDField(null=True)),
        migrations.AddField("Loan", "period", models.DurationField(null=True)),
        migrations.RunPython(fill, restore),
        migrations.AlterField("Loan", "number", models.UUIDField(unique=True)),
        migrations.AlterField("Loan", "period", models.DurationField()),
        migrations.RemoveField("Loan", "days"),
        migrations.AlterField("Book", "title", models.CharField(max_length=200)),
        migrations.AlterField("Book", "isbn", models.CharField(max_length=13, unique=True)),
        migrations.AlterField("Book", "pages", models.PositiveSmallIntegerField()),
        migrations.AlterField("Book", "price", models.DecimalField(decimal_places=2, max_digits=8)),
        migrations.AlterField("Book", "publisher", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="books", to="library.publisher")),
        migrations.AddField("Book", "rating", models.FloatField(blank=True, null=True)),
        migrations.AddField("Book", "properties", models.JSONField(blank=True, default=dict)),
        migrations.AddField("Book", "available", models.BooleanField(default=True)),
        migrations.AddIndex("Book", models.Index(fields=["published", "title"], name="book_by_date")),
        migrations.AddIndex("Book", models.Index(Lower("title"), name="book_by_lower_title")),
        migrations.AddConstraint("Book", models.CheckConstraint(condition=models.Q(price__gte=0), name="book_price_not_negative")),
        migrations.AddConstraint("Book", models.UniqueConstraint(fields=["publisher", "title"], name="book_once_per_publisher")),
    ]
