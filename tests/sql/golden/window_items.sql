-- Items of the select list that subqueries in windows name
--! ours MariaDB's windows know no items of the select list
-- subqueries in windows may name items of the select list
CREATE TABLE w (v INT);
INSERT INTO w VALUES (0), (1), (2), (1);
SELECT v + 1 AS b, SUM((SELECT b)) OVER (PARTITION BY (SELECT b)) AS s FROM w ORDER BY v;
SELECT v + 1 AS b, RANK() OVER (ORDER BY (SELECT b) DESC) AS s FROM w ORDER BY v;
SELECT v >= ALL (SELECT v FROM w) AS b, COUNT(*) OVER (PARTITION BY (SELECT b)) AS s FROM w ORDER BY b;
SELECT v + 1 AS b, RANK() OVER (ORDER BY b DESC) AS s FROM w;
--! end
