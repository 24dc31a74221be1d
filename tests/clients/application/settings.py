"""Settings of the library: Evenkeel over the socket in LIBRARY_SOCKET, through PyMySQL under MySQLdb's name."""
import os

import pymysql

pymysql.version_info = (2, 2, 7, "final", 0)  # Django asks for mysqlclient's version
pymysql.install_as_MySQLdb()

DATABASES = {"default": {
    "ENGINE": "django.db.backends.mysql", "NAME": "library", "USER": "root", "PASSWORD": "", "HOST": os.environ["LIBRARY_SOCKET"],
    "OPTIONS": {"charset": "utf8mb4", "isolation_level": "read committed"},
}}
INSTALLED_APPS = ["django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages", "library"]
MIDDLEWARE = ["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
              "django.contrib.auth.middleware.AuthenticationMiddleware", "django.contrib.messages.middleware.MessageMiddleware"]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {"context_processors": [
    "django.template.context_processors.request", "django.contrib.auth.context_processors.auth", "django.contrib.messages.context_processors.messages"]}}]
ROOT_URLCONF = "library.urls"
SECRET_KEY = "only for tests"
ALLOWED_HOSTS = ["testserver"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
STATIC_URL = "/static/"
USE_TZ = True
TIME_ZONE = "UTC"
