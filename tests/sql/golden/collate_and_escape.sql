-- a number sorts as its text under COLLATE
CREATE TABLE o (a INT, d DECIMAL(5,2));
INSERT INTO o VALUES (1,1.01),(2,100.49),(100,2.99);
SELECT a FROM o ORDER BY a COLLATE utf8mb4_bin;
SELECT d FROM o ORDER BY d COLLATE utf8mb4_general_ci DESC;
SELECT MAX(a COLLATE utf8mb4_bin), MIN(d COLLATE utf8mb4_bin) FROM o;
CREATE TABLE cv (a INT, v VARCHAR(10));
CREATE VIEW vc AS SELECT a, v COLLATE utf8mb4_bin AS b FROM cv;
INSERT INTO vc (a, b) VALUES (1,'x');
INSERT INTO vc VALUES (2,'y');
UPDATE vc SET b = 'z' WHERE a = 2;
SELECT * FROM cv ORDER BY a;

-- ESCAPE may be a subquery that names nothing outside
SELECT 'a%b' LIKE 'a\%b' ESCAPE (SELECT 'x'), 'a%b' LIKE 'ax%b' ESCAPE (SELECT 'x');
SELECT v LIKE 'x' ESCAPE (SELECT cv.v) FROM cv;
