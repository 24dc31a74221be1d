-- JSON_TABLE. Expectations: the examples of MySQL 8.4's manual, "JSON Table Functions".
--! ours MariaDB's JSON_TABLE has other errors, needs no AS, and gives text for JSON columns
SELECT * FROM JSON_TABLE('[ {"c1": null} ]', '$[*]' COLUMNS( c1 INT PATH '$.c1' ERROR ON ERROR )) AS jt;
SELECT * FROM JSON_TABLE('[{"a":"3"},{"a":2},{"b":1},{"a":0},{"a":[1,2]}]', "$[*]" COLUMNS(rowid FOR ORDINALITY, ac VARCHAR(100) PATH "$.a" DEFAULT '111' ON EMPTY DEFAULT '999' ON ERROR, aj JSON PATH "$.a" DEFAULT '{"x": 333}' ON EMPTY, bx INT EXISTS PATH "$.b")) AS tt;
SELECT * FROM JSON_TABLE('[{"x":2,"y":"8"},{"x":"3","y":"7"},{"x":"4","y":6}]', "$[*]" COLUMNS(xval VARCHAR(100) PATH "$.x", yval VARCHAR(100) PATH "$.y")) AS jt1;
SELECT * FROM JSON_TABLE('[{"x":2,"y":"8"},{"x":"3","y":"7"},{"x":"4","y":6}]', "$[1]" COLUMNS(xval VARCHAR(100) PATH "$.x", yval VARCHAR(100) PATH "$.y")) AS jt1;
SELECT * FROM JSON_TABLE('[ {"a": 1, "b": [11,111]}, {"a": 2, "b": [22,222]}, {"a":3}]', '$[*]' COLUMNS(a INT PATH '$.a', NESTED PATH '$.b[*]' COLUMNS (b INT PATH '$'))) AS jt WHERE b IS NOT NULL;
SELECT * FROM JSON_TABLE('[{"a": 1, "b": [11,111]}, {"a": 2, "b": [22,222]}]', '$[*]' COLUMNS(a INT PATH '$.a', NESTED PATH '$.b[*]' COLUMNS (b1 INT PATH '$'), NESTED PATH '$.b[*]' COLUMNS (b2 INT PATH '$'))) AS jt;
SELECT * FROM JSON_TABLE('[{"a": "a_val", "b": [{"c": "c_val", "l": [1,2]}]}, {"a": "a_val", "b": [{"c": "c_val","l": [11]}, {"c": "c_val", "l": [22]}]}]', '$[*]' COLUMNS(top_ord FOR ORDINALITY, apath VARCHAR(10) PATH '$.a', NESTED PATH '$.b[*]' COLUMNS (bpath VARCHAR(10) PATH '$.c', ord FOR ORDINALITY, NESTED PATH '$.l[*]' COLUMNS (lpath VARCHAR(10) PATH '$')))) AS jt;
CREATE TABLE t1 (c1 INT, c2 CHAR(1), c3 JSON);
INSERT INTO t1 VALUES ROW(1, 'z', JSON_OBJECT('a', 23, 'b', 27, 'c', 1)), ROW(1, 'y', JSON_OBJECT('a', 44, 'b', 22, 'c', 11)), ROW(2, 'x', JSON_OBJECT('b', 1, 'c', 15)), ROW(3, 'w', JSON_OBJECT('a', 5, 'b', 6, 'c', 7)), ROW(5, 'v', JSON_OBJECT('a', 123, 'c', 1111));
SELECT c1, c2, JSON_EXTRACT(c3, '$.*') FROM t1 AS m JOIN JSON_TABLE(m.c3, '$.*' COLUMNS(at VARCHAR(10) PATH '$.a' DEFAULT '1' ON EMPTY, bt VARCHAR(10) PATH '$.b' DEFAULT '2' ON EMPTY, ct VARCHAR(10) PATH '$.c' DEFAULT '3' ON EMPTY)) AS tt ON m.c1 > tt.at;
SELECT t1.c2, jt.* FROM t1, JSON_TABLE(t1.c3, '$' COLUMNS (a INT PATH '$.a', b INT PATH '$.b')) jt ORDER BY t1.c2;
SELECT t1.c2, jt.a FROM t1 LEFT JOIN JSON_TABLE(t1.c3, '$.a' COLUMNS (a INT PATH '$')) jt ON TRUE ORDER BY t1.c2;
SELECT c2, (SELECT SUM(v) FROM JSON_TABLE(t1.c3, '$.*' COLUMNS (v INT PATH '$')) AS x) AS s FROM t1 ORDER BY c2;
SELECT c2 FROM t1 WHERE EXISTS (SELECT 1 FROM JSON_TABLE(c3, '$.*' COLUMNS (v INT PATH '$')) AS x WHERE v > 100);
DROP TABLE t1;
SELECT * FROM JSON_TABLE(NULL, '$' COLUMNS (a INT PATH '$')) AS x;
SELECT * FROM JSON_TABLE('[1', '$' COLUMNS (a INT PATH '$')) AS x;
SELECT * FROM JSON_TABLE('[]', '$' COLUMNS (a INT PATH 'a')) AS x;
SELECT * FROM JSON_TABLE('[]', '$' COLUMNS (a INT PATH '$.x' ERROR ON EMPTY)) AS x;
SELECT * FROM JSON_TABLE('[[1]]', '$[*]' COLUMNS (a INT PATH '$' ERROR ON ERROR)) AS x;
SELECT * FROM JSON_TABLE('[1000]', '$[*]' COLUMNS (a TINYINT PATH '$' ERROR ON ERROR)) AS x;
SELECT * FROM JSON_TABLE('["x"]', '$[*]' COLUMNS (a INT PATH '$' ERROR ON ERROR)) AS x;
SELECT * FROM JSON_TABLE('["x", 1000, [1], 5]', '$[*]' COLUMNS (a TINYINT PATH '$', b VARCHAR(2) PATH '$', j JSON PATH '$')) AS x;
SELECT * FROM JSON_TABLE('[1]', '$' COLUMNS (a INT PATH '$', a INT PATH '$')) AS x;
SELECT * FROM JSON_TABLE('[1]', '$[*]' COLUMNS (a INT PATH '$' DEFAULT 'x' ON EMPTY)) AS x;
SELECT * FROM JSON_TABLE('[1]', '$' COLUMNS (a INT PATH '$'));
SELECT a, COUNT(*) FROM JSON_TABLE('[1, 2, 1, null]', '$[*]' COLUMNS (a INT PATH '$')) AS x GROUP BY a ORDER BY a;
SELECT x.a, y.b FROM JSON_TABLE('[[1, 2], [3]]', '$[*]' COLUMNS (a JSON PATH '$')) AS x, JSON_TABLE(x.a, '$[*]' COLUMNS (b INT PATH '$')) AS y;
SELECT * FROM JSON_TABLE('[{"d": "2020-01-02", "t": "10:11:12", "n": "1.25", "f": 1.5, "b": true}]', '$[*]' COLUMNS (d DATE PATH '$.d', t TIME PATH '$.t', n DECIMAL(6,1) PATH '$.n', f DOUBLE PATH '$.f', b INT PATH '$.b', s VARCHAR(5) PATH '$.b')) AS x;
--! types
--! mysql FOR ORDINALITY is a BIGINT in the newer one
SELECT * FROM JSON_TABLE('[1]', '$[*]' COLUMNS (o FOR ORDINALITY, a INT PATH '$', b VARCHAR(2) PATH '$', j JSON PATH '$')) AS x;
--! end
