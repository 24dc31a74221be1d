-- Accounts: expired passwords, retained passwords, rules for new ones, limits, attributes. Logins: tests/clients/test_password_policy.py.

--! ours MariaDB keeps less about accounts, and in other tables
CREATE USER a@localhost IDENTIFIED WITH caching_sha2_password AS '$A$005$abcdefghijklmnopqrst./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcde' PASSWORD EXPIRE;
SHOW CREATE USER a@localhost;
ALTER USER a@localhost PASSWORD EXPIRE NEVER;
SHOW CREATE USER a@localhost;
ALTER USER a@localhost IDENTIFIED WITH caching_sha2_password AS '$A$005$bbcdefghijklmnopqrst./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcde';
SHOW CREATE USER a@localhost;
ALTER USER a@localhost PASSWORD EXPIRE INTERVAL 90 DAY;
SHOW CREATE USER a@localhost;
SELECT password_expired, password_lifetime, password_last_changed IS NULL FROM mysql.user WHERE user='a';
SELECT ABS(TIMESTAMPDIFF(SECOND, password_last_changed, NOW())) < 60 AS just_now FROM mysql.user WHERE user='a';
ALTER USER a@localhost PASSWORD EXPIRE DEFAULT;
SELECT password_expired, password_lifetime FROM mysql.user WHERE user='a';
ALTER USER a@localhost PASSWORD EXPIRE INTERVAL 0 DAY;
ALTER USER a@localhost PASSWORD EXPIRE INTERVAL 65536 DAY;
ALTER USER a@localhost PASSWORD EXPIRE INTERVAL 65535 DAY;
ALTER USER a@localhost WITH MAX_QUERIES_PER_HOUR 5 MAX_UPDATES_PER_HOUR 6 MAX_CONNECTIONS_PER_HOUR 7 MAX_USER_CONNECTIONS 8;
SHOW CREATE USER a@localhost;
SELECT max_questions, max_updates, max_connections, max_user_connections FROM mysql.user WHERE user='a';
ALTER USER a@localhost WITH MAX_QUERIES_PER_HOUR 0;
SHOW CREATE USER a@localhost;
ALTER USER a@localhost PASSWORD HISTORY 3 PASSWORD REUSE INTERVAL 4 DAY PASSWORD REQUIRE CURRENT;
SHOW CREATE USER a@localhost;
SELECT Password_reuse_history, Password_reuse_time, Password_require_current, User_attributes FROM mysql.user WHERE user='a';
ALTER USER a@localhost PASSWORD REQUIRE CURRENT OPTIONAL PASSWORD HISTORY DEFAULT PASSWORD REUSE INTERVAL DEFAULT;
SHOW CREATE USER a@localhost;
ALTER USER a@localhost FAILED_LOGIN_ATTEMPTS 3 PASSWORD_LOCK_TIME 2;
SHOW CREATE USER a@localhost;
SELECT User_attributes FROM mysql.user WHERE user='a';
ALTER USER a@localhost PASSWORD_LOCK_TIME UNBOUNDED;
SHOW CREATE USER a@localhost;
SELECT User_attributes FROM mysql.user WHERE user='a';
ALTER USER a@localhost FAILED_LOGIN_ATTEMPTS 0;
SHOW CREATE USER a@localhost;
ALTER USER a@localhost FAILED_LOGIN_ATTEMPTS 32768;
ALTER USER a@localhost PASSWORD_LOCK_TIME 32768;
ALTER USER a@localhost COMMENT 'hello';
SELECT User_attributes FROM mysql.user WHERE user='a';
SHOW CREATE USER a@localhost;
SELECT * FROM information_schema.USER_ATTRIBUTES WHERE user='a';
ALTER USER a@localhost ATTRIBUTE '{"a": 1}';
ALTER USER a@localhost ATTRIBUTE '{"b": [1]}';
ALTER USER a@localhost COMMENT 'c"q';
SELECT User_attributes FROM mysql.user WHERE user='a';
ALTER USER a@localhost ATTRIBUTE '{"a": null}';
SELECT User_attributes FROM mysql.user WHERE user='a';
ALTER USER a@localhost ATTRIBUTE 'x';
ALTER USER a@localhost ATTRIBUTE '[1]';
-- two passwords
ALTER USER a@localhost IDENTIFIED BY 'y' RETAIN CURRENT PASSWORD;
SELECT JSON_KEYS(User_attributes) FROM mysql.user WHERE user='a';
SELECT JSON_UNQUOTE(JSON_EXTRACT(User_attributes, '$.additional_password')) AS p FROM mysql.user WHERE user='a';
ALTER USER a@localhost DISCARD OLD PASSWORD;
SELECT JSON_KEYS(User_attributes) FROM mysql.user WHERE user='a';
ALTER USER a@localhost DISCARD OLD PASSWORD;
ALTER USER a@localhost IDENTIFIED BY '' RETAIN CURRENT PASSWORD;
SET PASSWORD FOR a@localhost = 'zz' RETAIN CURRENT PASSWORD;
SELECT JSON_KEYS(User_attributes) FROM mysql.user WHERE user='a';
-- an empty password takes the second one along
ALTER USER a@localhost IDENTIFIED BY '';
SELECT JSON_KEYS(User_attributes) FROM mysql.user WHERE user='a';
CREATE USER b@localhost;
ALTER USER b@localhost IDENTIFIED BY 'y' RETAIN CURRENT PASSWORD;
CREATE USER r@localhost IDENTIFIED BY 'x' RETAIN CURRENT PASSWORD;
-- REPLACE
ALTER USER a@localhost IDENTIFIED BY 'z' REPLACE 'y';
SET PASSWORD FOR a@localhost = 'zz' REPLACE 'q';
ALTER USER root@localhost IDENTIFIED BY '' REPLACE 'wrong';
SET PASSWORD = '' REPLACE 'wrong';
ALTER USER USER() IDENTIFIED BY '' REPLACE '';
-- passwords used before
ALTER USER a@localhost PASSWORD HISTORY 2;
ALTER USER a@localhost IDENTIFIED BY 'p1';
ALTER USER a@localhost IDENTIFIED BY 'p1';
SET PASSWORD FOR a@localhost = 'p1';
ALTER USER a@localhost IDENTIFIED BY 'p2';
ALTER USER a@localhost IDENTIFIED BY 'p1';
ALTER USER a@localhost IDENTIFIED BY 'p3';
ALTER USER a@localhost IDENTIFIED BY 'p1';
ALTER USER a@localhost PASSWORD HISTORY 0;
ALTER USER a@localhost IDENTIFIED BY 'p1';
ALTER USER a@localhost PASSWORD REUSE INTERVAL 1 DAY;
ALTER USER a@localhost IDENTIFIED BY 'q1';
ALTER USER a@localhost IDENTIFIED BY 'q2';
ALTER USER a@localhost IDENTIFIED BY 'q1';
CREATE USER h@localhost IDENTIFIED BY 'one' PASSWORD HISTORY 1;
ALTER USER h@localhost IDENTIFIED BY 'one';
SET GLOBAL password_history = 1;
CREATE USER g@localhost IDENTIFIED BY 'one';
ALTER USER g@localhost IDENTIFIED BY 'one';
SET GLOBAL password_history = DEFAULT;
-- a plugin without a password
ALTER USER b@localhost IDENTIFIED WITH caching_sha2_password;
SELECT password_expired, authentication_string FROM mysql.user WHERE user='b';
-- all accounts or none
--! mysql the newer one says why
ALTER USER a@localhost, nix@localhost PASSWORD EXPIRE;
SELECT password_expired FROM mysql.user WHERE user='a';
ALTER USER IF EXISTS a@localhost, nix@localhost PASSWORD EXPIRE;
SELECT password_expired FROM mysql.user WHERE user='a';
CREATE USER d@localhost PASSWORD EXPIRE NEVER ACCOUNT LOCK COMMENT 'x';
SHOW CREATE USER d@localhost;
CREATE ROLE rr;
SELECT password_expired, account_locked, password_last_changed IS NULL FROM mysql.user WHERE user='rr';
SHOW CREATE USER rr;
-- a session whose password has expired may do nothing but change it
ALTER USER root@localhost PASSWORD EXPIRE;
SELECT 1;
SHOW CREATE USER root@localhost;
USE test;
ALTER USER a@localhost IDENTIFIED BY 'zz';
SET PASSWORD FOR a@localhost = 'zz';
SET @x = 1;
ALTER USER root@localhost PASSWORD EXPIRE NEVER;
PREPARE s FROM 'SELECT 1';
ALTER USER root@localhost IDENTIFIED BY '';
SELECT 1;
ALTER USER USER() IDENTIFIED BY '';
ALTER USER root@localhost PASSWORD EXPIRE;
SET PASSWORD = '';
SELECT 1;
DROP USER a@localhost, b@localhost, d@localhost, h@localhost, g@localhost;
DROP ROLE rr;
--! end
