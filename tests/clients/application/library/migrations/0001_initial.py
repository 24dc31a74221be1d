"""The library as it began."""
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))


class Migration(migrations.Migration):
    initial = True
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    operations = [
        migrations.CreateModel("Author", fields=[
            ID,
            ("full_name", models.CharField(max_length=80)),
            ("born", models.DateField(blank=True, null=True)),
        ], options={"ordering": ["full_name"]}),
        migrations.CreateModel("Publisher", fields=[
            ID,
            ("name", models.CharField(max_length=80)),
            ("city", models.CharField(blank=True, max_length=80)),
            ("fax", models.CharField(blank=True, max_length=40)),
        ]),
        migrations.CreateModel("Book", fields=[
            ID,
            ("title", models.CharField(max_length=100)),
            ("isbn", models.CharField(max_length=10, unique=True)),
            ("published", models.DateField()),
            ("pages", models.PositiveSmallIntegerField(null=True)),
            ("price", models.FloatField()),
            ("added", models.DateTimeField(auto_now_add=True)),
            ("authors", models.ManyToManyField(related_name="books", to="library.author")),
            ("publisher", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to="library.publisher")),
        ], options={"ordering": ["title"]}),
        migrations.CreateModel("Lending", fields=[
            ID,
            ("lent", models.DateTimeField()),
            ("days", models.IntegerField(default=14)),
            ("returned", models.DateTimeField(blank=True, null=True)),
            ("book", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="loans", to="library.book")),
            ("reader", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="loans", to=settings.AUTH_USER_MODEL)),
        ], options={"ordering": ["-lent"]}),
    ]
