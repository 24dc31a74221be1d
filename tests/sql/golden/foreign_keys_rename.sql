-- RENAME TABLE of several tables whose names others take: keys follow their parent, whatever now has its name.
--! ours MariaDB writes definitions otherwise and has other rules
CREATE TABLE p (a INT PRIMARY KEY);
CREATE TABLE c (a INT, FOREIGN KEY (a) REFERENCES p (a));
CREATE TABLE o (a VARCHAR(5), KEY (a));
RENAME TABLE p TO t, o TO p, t TO o;
SHOW CREATE TABLE c;
RENAME TABLE o TO t, c TO o, t TO c;
SHOW CREATE TABLE o;
RENAME TABLE o TO c, c TO p2, p TO o, p2 TO p;
RENAME TABLE c TO t, o TO x, p TO c, t TO o, x TO p;
SHOW CREATE TABLE o;
INSERT INTO o VALUES (1);
INSERT INTO c VALUES (1);
INSERT INTO o VALUES (1);
DELETE FROM c;
DROP TABLE o, p, c;
-- a key that waits for a name is checked when a table takes it
SET foreign_key_checks = 0;
CREATE TABLE c (a INT, FOREIGN KEY (a) REFERENCES missing (a));
CREATE TABLE p (a VARCHAR(5) PRIMARY KEY);
CREATE TABLE q (a INT PRIMARY KEY);
RENAME TABLE p TO missing;
RENAME TABLE p TO t, q TO missing, t TO q;
SET foreign_key_checks = 1;
SHOW CREATE TABLE c;
DROP TABLE c, q, missing;
-- a parent without a unique key keeps its name unless restrict_fk_on_non_standard_key is off
SET restrict_fk_on_non_standard_key = OFF;
CREATE TABLE p (a INT, KEY (a));
CREATE TABLE c (a INT, FOREIGN KEY (a) REFERENCES p (a));
SET restrict_fk_on_non_standard_key = ON;
RENAME TABLE p TO q;
SET restrict_fk_on_non_standard_key = OFF;
RENAME TABLE p TO q;
RENAME TABLE q TO p;
SET restrict_fk_on_non_standard_key = DEFAULT;
ALTER TABLE c RENAME TO d;
SHOW CREATE TABLE d;
DROP TABLE d, p;
--! end
