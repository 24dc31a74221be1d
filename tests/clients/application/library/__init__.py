"""A lending library: the application of tests/clients/test_application.py."""
