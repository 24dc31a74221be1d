-- full-text, natural : count
SELECT id, MATCH(title, body) AGAINST('kitchen garden') s FROM posts WHERE MATCH(title, body) AGAINST('kitchen garden') ORDER BY s DESC LIMIT 20
-- full-text count
SELECT COUNT(*) FROM posts WHERE MATCH(title, body) AGAINST('kitchen')
-- full-text, boolean all
SELECT COUNT(*) FROM posts WHERE MATCH(title, body) AGAINST('+kitchen +garden -lamp' IN BOOLEAN MODE)
-- full-text, boolean prefix
SELECT COUNT(*) FROM posts WHERE MATCH(title, body) AGAINST('+trans* +cop*' IN BOOLEAN MODE)
-- full-text, phrase
SELECT COUNT(*) FROM posts WHERE MATCH(title, body) AGAINST('"red chair"' IN BOOLEAN MODE)
-- full-text and a filter : ordered
SELECT id FROM posts WHERE MATCH(title, body) AGAINST('+kitchen +garden' IN BOOLEAN MODE) AND state='hidden' ORDER BY id LIMIT 50
-- full-text and a join : ordered
SELECT p.id FROM posts p JOIN post_tags t ON t.post_id=p.id WHERE MATCH(title, body) AGAINST('+bottle +shirt +music' IN BOOLEAN MODE) AND t.tag_id=1 ORDER BY p.id LIMIT 50
-- full-text of products : count
SELECT id, name FROM products WHERE MATCH(name, description) AGAINST('+steel +lamp' IN BOOLEAN MODE) AND active=1 ORDER BY price LIMIT 20
-- json path equals
SELECT COUNT(*) FROM customers WHERE settings->>'$.lang'='de'
-- json path of a number
SELECT COUNT(*) FROM customers WHERE settings->'$.theme.size' > 15
-- json bool
SELECT COUNT(*) FROM customers WHERE JSON_EXTRACT(settings,'$.news')=true
-- json_value
SELECT COUNT(*) FROM customers WHERE JSON_VALUE(settings,'$.theme.size' RETURNING UNSIGNED)=12
-- json contains
SELECT COUNT(*) FROM products WHERE JSON_CONTAINS(attributes,'"red"','$.color')
-- json member of
SELECT COUNT(*) FROM products WHERE 'steel' MEMBER OF (attributes->'$.tags')
-- json overlaps
SELECT COUNT(*) FROM products WHERE JSON_OVERLAPS(attributes->'$.tags','["steel","lamp"]')
-- json generated column
SELECT COUNT(*) FROM events WHERE city='City3'
-- json generated column by its expression
SELECT COUNT(*) FROM events WHERE payload->>'$.city'='City3'
-- json group
SELECT payload->>'$.ref' r, COUNT(*) FROM events GROUP BY r
-- json sum
SELECT kind, SUM(JSON_EXTRACT(payload,'$.n')) FROM events GROUP BY kind
-- json length
SELECT JSON_LENGTH(payload,'$.items') n, COUNT(*) FROM events GROUP BY n
-- json search
SELECT COUNT(*) FROM products WHERE JSON_SEARCH(attributes,'one','steel',NULL,'$.tags[*]') IS NOT NULL
-- json keys
SELECT COUNT(*) FROM events WHERE JSON_CONTAINS_PATH(payload,'one','$.city')
-- json table unnest
SELECT j.tag, COUNT(*) FROM products p, JSON_TABLE(p.attributes, '$.tags[*]' COLUMNS (tag VARCHAR(30) PATH '$')) j GROUP BY j.tag
-- json table of numbers
SELECT SUM(j.x) FROM events e, JSON_TABLE(e.payload, '$.items[*]' COLUMNS (x INT PATH '$')) j WHERE e.kind='click'
-- json objects of a page : ordered
SELECT JSON_OBJECT('id', id, 'email', email, 'dark', settings->'$.theme.dark') FROM customers ORDER BY id LIMIT 1000
-- json of children : ordered
SELECT o.id, (SELECT JSON_ARRAYAGG(JSON_OBJECT('p', i.product_id, 'q', i.qty)) FROM order_items i WHERE i.order_id=o.id AND i.line=1) FROM orders o ORDER BY o.id LIMIT 500
-- json order : count
SELECT id FROM products ORDER BY CAST(attributes->>'$.rating' AS DECIMAL(3,1)) DESC, id LIMIT 20
-- json valid
SELECT COUNT(*) FROM products WHERE JSON_VALID(description)
-- like in long text
SELECT COUNT(*) FROM posts WHERE body LIKE '%kitchen travel%'
-- locate in long text
SELECT COUNT(*) FROM posts WHERE LOCATE('kitchen travel', body) > 0
-- regexp in long text
SELECT COUNT(*) FROM posts WHERE body REGEXP 'kitchen (travel|music) [a-z]+ lamp'
-- regexp replace
SELECT SUM(CHAR_LENGTH(REGEXP_REPLACE(title, '[aeiou]', ''))) FROM posts
-- regexp substr
SELECT REGEXP_SUBSTR(email, '@[a-z]+') d, COUNT(*) FROM customers GROUP BY d
-- regexp word boundary
SELECT COUNT(*) FROM posts WHERE title REGEXP '\\bred\\b'
-- like binary
SELECT COUNT(*) FROM customers WHERE first_name LIKE BINARY 'A%'
-- collate
SELECT COUNT(*) FROM customers WHERE last_name COLLATE utf8mb4_bin = 'smith'
-- case-insensitive equals
SELECT COUNT(*) FROM customers WHERE last_name='MULLER'
-- upper and concat
SELECT COUNT(*) FROM customers WHERE CONCAT(first_name,' ',last_name)='Anna Smith'
-- string functions over all
SELECT SUM(CHAR_LENGTH(CONCAT_WS('-', UPPER(first_name), LPAD(id,8,'0'), REPLACE(email,'@','_')))) FROM customers
-- hashes
SELECT COUNT(*) FROM customers WHERE LEFT(MD5(email),2)='ab'
-- sha2
SELECT COUNT(*) FROM (SELECT SHA2(email,256) h FROM customers LIMIT 50000) x WHERE h LIKE '00%'
-- soundex
SELECT COUNT(*) FROM customers WHERE SOUNDEX(last_name)=SOUNDEX('Smyth')
-- find_in_set
SELECT COUNT(*) FROM orders WHERE FIND_IN_SET(status,'new,paid,void')
-- trim and nullif
SELECT COUNT(NULLIF(TRIM(company),'')) FROM customers
-- substring group
SELECT LEFT(last_name,1) l, COUNT(*) FROM customers GROUP BY l
-- format
SELECT SUM(CHAR_LENGTH(FORMAT(total,2))) FROM orders
-- date formats
SELECT SUM(CHAR_LENGTH(DATE_FORMAT(placed_at,'%W, %d %M %Y %H:%i'))) FROM orders
-- str_to_date
SELECT COUNT(*) FROM orders WHERE STR_TO_DATE(CONCAT(YEAR(placed_at),'-01-15'),'%Y-%m-%d') > placed_at
-- convert_tz
SELECT HOUR(CONVERT_TZ(at,'+00:00','+02:00')) h, COUNT(*) FROM events GROUP BY h
-- from_unixtime
SELECT DATE(FROM_UNIXTIME(UNIX_TIMESTAMP(placed_at))) d, COUNT(*) FROM orders WHERE placed_at > '2025-08-01' GROUP BY d
-- last_day
SELECT LAST_DAY(placed_at) l, SUM(total) FROM orders GROUP BY l
-- round and mod
SELECT ROUND(total,-2) r, COUNT(*) FROM orders GROUP BY r
-- distance
SELECT COUNT(*) FROM readings WHERE SQRT(POW(value-25,2)+POW(quality,2)) < 1.5
-- bits
SELECT BIT_COUNT(id) b, COUNT(*) FROM orders GROUP BY b
-- sort by text : ordered
SELECT id FROM posts ORDER BY title, id LIMIT 50
-- sort all by text : ordered
SELECT id FROM customers ORDER BY company, id
-- sort by long text : count
SELECT id FROM posts ORDER BY body LIMIT 10
-- fetch many rows
SELECT id, customer_id, status, placed_at, total FROM orders WHERE id <= 50000
-- fetch wide rows
SELECT * FROM customers WHERE id <= 20000
