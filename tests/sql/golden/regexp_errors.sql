-- What is wrong with a pattern of REGEXP, with ICU's errors in MySQL's words.
--! ours MariaDB has another library: 1139 for all of them, or no error
SELECT 'a' REGEXP '(';
SELECT 'a' REGEXP 'a)';
SELECT 'a' REGEXP '[a';
SELECT 'a' REGEXP '[z-a]';
SELECT 'a' REGEXP '*';
SELECT 'a' REGEXP 'a**';
SELECT 'a' REGEXP 'a\nb|+';
SELECT 'a' REGEXP '(?z)';
SELECT 'a' REGEXP 'a{2,1}';
SELECT 'a' REGEXP 'a\\';
SELECT 'a' REGEXP '\\x{110000}';
SELECT 'a' REGEXP '(a)\\2';
SELECT 'a' REGEXP '\\k<x>';
SELECT 'a' REGEXP '(?<x>a)(?<x>b)';
--! mysql the newer library knows [[:letter:]]
SELECT 'a' REGEXP '[[:letter:]]';
SELECT REGEXP_LIKE('a', 'a', 'q');
SELECT REGEXP_SUBSTR('a', 'a', 1, 1, 'q');
--! end
SELECT 'b' REGEXP '[[:alpha:]]', 'x' REGEXP '^(?:y|x){1,2}$', '(' REGEXP '\\(';
