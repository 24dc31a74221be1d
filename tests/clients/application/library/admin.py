"""The admin: search over relations, filters, a date hierarchy, an inline, an action, an editable list."""
from django.contrib import admin

from .models import Author, Book, Loan, Publisher


class LoanInline(admin.TabularInline):
    model = Loan
    extra = 1


@admin.action(description="Withdraw")
def withdraw(modeladmin, request, queryset):
    modeladmin.message_user(request, f"{queryset.update(available=False)} withdrawn")


@admin.register(Book)
class BookAdmin(admin.ModelAdmin):
    list_display = ["title", "isbn", "publisher", "published", "price", "available"]
    list_editable = ["price"]
    list_filter = ["available", "publisher", "published"]
    list_per_page = 10
    list_select_related = True
    search_fields = ["title", "isbn", "authors__name", "publisher__name"]
    date_hierarchy = "published"
    filter_horizontal = ["authors"]
    actions = [withdraw]
    inlines = [LoanInline]


@admin.register(Author)
class AuthorAdmin(admin.ModelAdmin):
    list_display = ["name", "born"]
    search_fields = ["name", "biography"]


admin.site.register(Publisher)
