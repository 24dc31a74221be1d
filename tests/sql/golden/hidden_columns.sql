-- Columns that only a functional key part needs: no statement can name them (1054). A column of one's own may be called as they are.
--! ours MariaDB has no functional key parts
CREATE TABLE f (a INT, b INT, INDEX i ((a + 1)), INDEX j ((b * 2), (a - b)), UNIQUE u ((a * b)));
INSERT INTO f VALUES (1, 2);
SELECT `!hidden!i!0!0` FROM f;
SELECT * FROM f WHERE `!hidden!i!0!0` = 2;
INSERT INTO f (a, `!hidden!i!0!0`) VALUES (1, 2);
UPDATE f SET `!hidden!i!0!0` = 1;
UPDATE f SET a = 1 WHERE `!hidden!j!1!0` = 1;
DELETE FROM f WHERE `!hidden!j!1!0` = 1;
SELECT * FROM f ORDER BY `!hidden!i!0!0`;
SELECT * FROM f GROUP BY `!hidden!i!0!0`;
SELECT COUNT(*) FROM f NATURAL JOIN f AS g;
CREATE VIEW v AS SELECT `!hidden!i!0!0` FROM f;
ALTER TABLE f ADD INDEX k (`!hidden!i!0!0`);
CREATE TABLE g (a INT, INDEX i ((a + 1)), INDEX k (`!hidden!i!0!0`));
INSERT INTO f (a, b) VALUES (3, 4) ON DUPLICATE KEY UPDATE a = VALUES(`!hidden!u!0!0`);
INSERT INTO f (a, b) VALUES (3, 4) ON DUPLICATE KEY UPDATE `!hidden!u!0!0` = 1;
SELECT * FROM f WHERE a + 1 = 2;
CREATE TABLE plain (`!hidden!x!0!0` INT, b INT);
INSERT INTO plain VALUES (1, 2);
SELECT * FROM plain;
SELECT `!hidden!x!0!0` FROM plain;
SHOW COLUMNS FROM plain;
--! end
