-- Names of columns that are strings
-- a column is named by the first of several strings
--! ours MariaDB names it by all of them; MySQL 9.7 as here
SELECT 'a' 'b';
SELECT 'a'
 'b', 'c' 'd' AS x;
SELECT '' 'b', ' a' 'b';
SELECT 'a' 'b' COLLATE utf8mb4_bin;
SELECT CONCAT('a' 'b'), _utf8mb4'a' 'b', N'a' 'b';
SELECT "x" 'y' "z";
SELECT u.* FROM (SELECT 'a' 'b', 'c' 'd' UNION SELECT 1, 2) u;
--! end
