-- Views whose set operation or parentheses have an ORDER BY of their own
CREATE TABLE s (a INT, b INT);
INSERT INTO s VALUES (1,5),(1,5),(2,7);
--! ours MariaDB names such columns otherwise
CREATE VIEW v1 (c) AS SELECT 1 AS foo UNION SELECT 2 ORDER BY foo DESC;
SELECT * FROM v1;
SHOW CREATE VIEW v1;
CREATE VIEW v2 AS SELECT * FROM ((SELECT a, b FROM s ORDER BY a, b) ORDER BY b / a DESC LIMIT 7) d;
SELECT * FROM v2 ORDER BY a, b;
SHOW CREATE VIEW v2;
CREATE VIEW v3 AS (SELECT a, b FROM s ORDER BY a LIMIT 2) ORDER BY b DESC;
SELECT * FROM v3;
--! end
