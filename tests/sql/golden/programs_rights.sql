-- Whose rights a program, trigger, view and what they call have, and whom a refusal names.
--! ours skip: MariaDB's programs have another grammar, other errors and other texts; MySQL 9.7 is asked
DROP USER IF EXISTS low, mid, dev, own, z;
DROP ROLE IF EXISTS reader;
CREATE DATABASE d;
CREATE DATABASE e;
USE d;
CREATE TABLE secret (id INT PRIMARY KEY, s VARCHAR(20));
INSERT INTO secret VALUES (1,'top'),(2,'hid');
CREATE TABLE pub (id INT PRIMARY KEY, v INT);
INSERT INTO pub VALUES (1,1),(2,2);
CREATE USER low IDENTIFIED BY 'p', mid IDENTIFIED BY 'p', dev IDENTIFIED BY 'p';
GRANT SELECT, INSERT, UPDATE, DELETE ON d.pub TO low;
GRANT EXECUTE ON d.* TO low;
GRANT ALL ON e.* TO dev;
GRANT SELECT, TRIGGER ON d.pub TO dev;
GRANT CREATE ROUTINE, EXECUTE ON d.* TO dev;
CREATE PROCEDURE inv() SQL SECURITY INVOKER SELECT s FROM d.secret;
CREATE PROCEDURE def() SQL SECURITY DEFINER SELECT s FROM d.secret;
CREATE PROCEDURE def_inv() SQL SECURITY DEFINER CALL d.inv();
CREATE PROCEDURE inv_def() SQL SECURITY INVOKER CALL d.def();
CREATE FUNCTION finv() RETURNS VARCHAR(20) READS SQL DATA SQL SECURITY INVOKER RETURN (SELECT s FROM d.secret LIMIT 1);
CREATE FUNCTION fdef() RETURNS VARCHAR(20) READS SQL DATA SQL SECURITY DEFINER RETURN (SELECT s FROM d.secret LIMIT 1);
CREATE SQL SECURITY DEFINER VIEW vdi AS SELECT d.finv() x;
CREATE SQL SECURITY INVOKER VIEW vii AS SELECT d.finv() x;
CREATE SQL SECURITY INVOKER VIEW vid AS SELECT d.fdef() x;
CREATE SQL SECURITY DEFINER VIEW vdd AS SELECT d.fdef() x;
GRANT SELECT ON d.vdi TO low;
GRANT SELECT ON d.vii TO low;
GRANT SELECT ON d.vid TO low;
GRANT SELECT ON d.vdd TO low;
CREATE PROCEDURE who() SQL SECURITY DEFINER SELECT CURRENT_USER(), SUBSTRING_INDEX(USER(),'@',1), CURRENT_ROLE();
CREATE PROCEDURE whoi() SQL SECURITY INVOKER SELECT CURRENT_USER(), SUBSTRING_INDEX(USER(),'@',1), CURRENT_ROLE();
CREATE PROCEDURE dyn(q TEXT) SQL SECURITY INVOKER BEGIN SET @q=q; PREPARE st FROM @q; EXECUTE st; DEALLOCATE PREPARE st; END;
CREATE PROCEDURE dynd(q TEXT) SQL SECURITY DEFINER BEGIN SET @q=q; PREPARE st FROM @q; EXECUTE st; END;
CREATE PROCEDURE tabs() SQL SECURITY DEFINER SELECT table_name FROM information_schema.tables WHERE table_schema='d' ORDER BY 1;
CREATE PROCEDURE tabsi() SQL SECURITY INVOKER SELECT table_name FROM information_schema.tables WHERE table_schema='d' ORDER BY 1;
CREATE PROCEDURE mk() SQL SECURITY DEFINER CREATE USER z;
CREATE PROCEDURE role() SQL SECURITY DEFINER BEGIN SET ROLE NONE; SELECT CURRENT_ROLE(); END;
--! on low as low
CALL d.inv();
CALL d.def();
CALL d.def_inv();
CALL d.inv_def();
SELECT d.finv();
SELECT d.fdef();
SELECT * FROM d.vdi;
SELECT * FROM d.vii;
SELECT * FROM d.vid;
SELECT * FROM d.vdd;
CALL d.who();
CALL d.whoi();
CALL d.dyn('SELECT * FROM d.secret');
CALL d.dynd('SELECT * FROM d.secret');
EXECUTE st;
CALL d.dyn('CREATE USER x');
CALL d.tabs();
CALL d.tabsi();
CALL d.mk();
CALL d.role();
SELECT routine_name, routine_definition IS NULL FROM information_schema.routines WHERE routine_schema='d' ORDER BY 1;
CREATE PROCEDURE d.x() SELECT 1;
CREATE TRIGGER d.tr BEFORE INSERT ON d.pub FOR EACH ROW SET NEW.v=1;
DROP PROCEDURE d.def;
ALTER PROCEDURE d.def SQL SECURITY INVOKER;
CREATE EVENT d.ev ON SCHEDULE EVERY 1 DAY DO SELECT 1;
--! on dev as dev
CREATE PROCEDURE d.own() SELECT s FROM d.secret;
CALL d.own();
CREATE DEFINER=root@localhost PROCEDURE d.own2() SELECT s FROM d.secret;
CREATE FUNCTION d.ownf() RETURNS INT DETERMINISTIC RETURN (SELECT COUNT(*) FROM d.secret);
SELECT d.ownf();
ALTER PROCEDURE d.def SQL SECURITY INVOKER;
DROP PROCEDURE d.def;
CREATE TRIGGER d.tr BEFORE INSERT ON d.pub FOR EACH ROW SET NEW.v=(SELECT COUNT(*) FROM d.secret);
CREATE TRIGGER d.tr2 AFTER UPDATE ON d.pub FOR EACH ROW SET @seen=CONCAT(OLD.v,NEW.v);
CREATE TRIGGER e.tr3 BEFORE INSERT ON d.pub FOR EACH ROW SET NEW.v=1;
SHOW GRANTS FOR CURRENT_USER();
--! on low as low
--! mysql the table of its subquery is refused first there; here the columns of NEW are asked for before anything runs
INSERT INTO d.pub VALUES (10,10);
UPDATE d.pub SET v=v+1 WHERE id=1;
SELECT @seen;
CALL d.own();
SELECT d.ownf();
--! on a
DROP USER dev;
REVOKE ALL ON d.pub FROM dev;
--! on low as low
CALL d.own();
SELECT d.ownf();
UPDATE d.pub SET v=v+1 WHERE id=1;
--! on a
DROP TRIGGER d.tr;
--! on low as low
INSERT INTO d.pub VALUES (11,10);
UPDATE d.pub SET v=v+1 WHERE id=1;
SELECT d.nofunc();
SELECT e.nofunc(1);
CALL e.nope();
CALL nodb.nope();
SELECT COUNT(*) FROM d.pub WHERE v=d.finv();
SELECT COUNT(*) FROM d.pub WHERE v=d.fdef();
UPDATE d.pub SET v=LENGTH(d.finv());
SET @x=d.finv();
SET @x=d.fdef();
DO d.finv();
SELECT @x;
-- the roles that somebody has set hold in what is its own, and only there
--! on a
CREATE ROLE reader;
GRANT SELECT ON d.secret TO reader;
CREATE USER own IDENTIFIED BY 'p';
GRANT reader TO own;
GRANT CREATE ROUTINE, EXECUTE ON d.* TO own;
--! on own as own
CREATE PROCEDURE d.mine() SELECT CURRENT_ROLE(), s FROM d.secret;
CREATE PROCEDURE d.mine_invoked() SQL SECURITY INVOKER SELECT CURRENT_ROLE(), s FROM d.secret;
CALL d.mine();
SET ROLE reader;
CALL d.mine();
CALL d.mine_invoked();
--! on low
CALL d.mine();
CALL d.mine_invoked();
--! on a
ALTER USER own DEFAULT ROLE reader;
--! on low
CALL d.mine();
--! on a
DROP ROLE reader;
--! on own
CALL d.mine();
--! on a
DROP DATABASE d;
DROP DATABASE e;
DROP USER IF EXISTS low, mid, dev, own, z;
DROP ROLE IF EXISTS reader;
--! end
