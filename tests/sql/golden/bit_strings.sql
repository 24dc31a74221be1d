-- bit operators on binary strings: manual, "Bit Functions and Operators"
CREATE TABLE t (id INT PRIMARY KEY, a VARBINARY(4), b BINARY(2));
INSERT INTO t VALUES (1, x'0f0f', x'00ff'), (2, x'ffff', x'0102'), (3, NULL, x'0000'), (4, x'01', x'8000');
--! ours MariaDB computes with BIGINT only
SELECT id, HEX(a & b), HEX(a | b), HEX(a ^ b) FROM t WHERE id < 4 ORDER BY id;
SELECT HEX(~a), HEX(~b) FROM t ORDER BY id;
SELECT HEX(a << 1), HEX(a >> 1), HEX(b << 9), HEX(b >> 9), HEX(b << 100) FROM t ORDER BY id;
SELECT a & b FROM t WHERE id = 4;
SELECT HEX(_binary x'0f0f' & x'ff00'), HEX(x'ff00' | _binary x'0f0f'), HEX(_binary 'ab' ^ _binary 'AB');
SELECT HEX(_binary x'0f' & NULL), HEX(a & x'ffff') FROM t WHERE id = 1;
SELECT BIT_COUNT(a), BIT_COUNT(b) FROM t ORDER BY id;
--! end
-- two literals, or a character string, are numbers
--! differs MariaDB: X'..' is always a string
SELECT x'0f' | x'f0', x'0f' & 255, '12' | 3, ~x'00', x'01' << 3;
CREATE TABLE n (i INT, u BIGINT UNSIGNED, d DECIMAL(20,2), f DOUBLE, c VARCHAR(4));
-- a hexadecimal literal is a number for a column of numbers
INSERT INTO n VALUES (0x41, 0x8000000000000000, 0x10, b'11', 0x41);
SELECT * FROM n;
UPDATE n SET i = 0x42, f = 0x0a;
SELECT * FROM n WHERE u = 0x8000000000000000;
INSERT INTO n (i) VALUES (0x80000000);
INSERT IGNORE INTO n (i, u) VALUES (0xffffffffffffffffff, 0xffffffffffffffffff);
SELECT i, u FROM n WHERE i = 2147483647;
DROP TABLE t, n;
