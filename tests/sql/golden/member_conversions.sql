-- members by numbers, dates and addresses
CREATE TABLE e (e ENUM('a','b','c'), s SET('a','b','c'));
INSERT INTO e VALUES (1.6,1.6),(2.4,2.9),(2.9e0,2.9e0);
SELECT e + 0, s + 0 FROM e;
SELECT FIND_IN_SET('c', s), FIND_IN_SET(CONCAT('', 'b'), s), FIND_IN_SET('d', s) FROM e WHERE s = 'b';
INSERT INTO e VALUES ('a','a,c');
SELECT FIND_IN_SET('c', s), FIND_IN_SET('c', CONCAT(s)) FROM e WHERE s = 'a,c';
CREATE TABLE d (t DATETIME, d DATE);
INSERT INTO d VALUES ('2001-01-01','2001-01-02');
SELECT * FROM d WHERE t > 0 AND d > 0;
UPDATE d SET d = '2001-01-03' WHERE t > 0;
DELETE FROM d WHERE d > 0;
SET sql_mode = '';
CREATE TABLE f (d DATETIME(6));
--! differs MariaDB cuts fractions
INSERT INTO f VALUES ('2001-00-00 00:00:00.9999999'),('2001-01-00 00:00:00.9999999');
--! differs MariaDB cuts fractions
SELECT * FROM f;
SET sql_mode = DEFAULT;
CREATE TABLE z (d DECIMAL(0,10));
SELECT INET6_NTOA(INET6_ATON('1::3:4:5:6:7:8')) a, INET6_NTOA(INET6_ATON('1:2:3:4:5:6:7:0')) b, INET6_NTOA(INET6_ATON('1:0:0:4:0:0:0:8')) c, INET6_NTOA(INET6_ATON('::')) d, INET6_NTOA(INET6_ATON('1:2:3:4:5:6:7:8')) e, INET6_NTOA(INET6_ATON('::ffff:1.2.3.4')) f;
--! differs MariaDB has no BIN_TO_UUID
SELECT BIN_TO_UUID(UNHEX('7f9d04ae61b34468ac798ffcc984ab668'));
