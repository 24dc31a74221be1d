-- Versions of this schema (MySQL 8.4's, whose columns it has) and of the server.
SELECT '2.1.3' AS sys_version, VERSION() AS mysql_version
