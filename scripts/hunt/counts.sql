-- all rows
SELECT COUNT(*) FROM orders
-- by status
SELECT COUNT(*) FROM orders WHERE status='done'
-- by status and date
SELECT COUNT(*) FROM orders WHERE status='done' AND placed_at >= '2024-01-01'
-- by date range
SELECT COUNT(*) FROM orders WHERE placed_at BETWEEN '2023-01-01' AND '2023-12-31 23:59:59'
-- by date function
SELECT COUNT(*) FROM orders WHERE DATE(placed_at)='2024-02-03'
-- by year function
SELECT COUNT(*) FROM orders WHERE YEAR(placed_at)=2024
-- by month format
SELECT COUNT(*) FROM orders WHERE DATE_FORMAT(placed_at,'%Y-%m')='2024-02'
-- by null
SELECT COUNT(*) FROM orders WHERE shipped_at IS NULL
-- by not null
SELECT COUNT(*) FROM customers WHERE referrer_id IS NOT NULL
-- of a nullable column
SELECT COUNT(coupon) FROM orders
-- distinct customers
SELECT COUNT(DISTINCT customer_id) FROM orders
-- distinct of an unindexed column
SELECT COUNT(DISTINCT currency) FROM orders
-- distinct pairs
SELECT COUNT(DISTINCT shop_id, status) FROM orders
-- distinct by a filter
SELECT COUNT(DISTINCT customer_id) FROM events WHERE kind='view'
-- of a join
SELECT COUNT(*) FROM orders o JOIN customers c ON c.id=o.customer_id WHERE c.country='us'
-- of a join, both filtered
SELECT COUNT(*) FROM orders o JOIN customers c ON c.id=o.customer_id WHERE c.country='us' AND o.status='paid'
-- of a left join
SELECT COUNT(*) FROM customers c LEFT JOIN orders o ON o.customer_id=c.id WHERE c.status='blocked'
-- of a derived page
SELECT COUNT(*) FROM (SELECT DISTINCT customer_id FROM orders WHERE total > 1000) x
-- of groups
SELECT COUNT(*) FROM (SELECT customer_id, COUNT(*) n FROM orders GROUP BY customer_id HAVING n > 3) x
-- django's count with a limit
SELECT COUNT(*) FROM (SELECT id FROM orders WHERE status='done' LIMIT 1000) x
-- rails' exists
SELECT 1 AS one FROM orders WHERE customer_id=5 LIMIT 1
-- conditional sums
SELECT SUM(status='new'), SUM(status='paid'), SUM(status='void'), SUM(CASE WHEN total>1000 THEN 1 ELSE 0 END) FROM orders
-- several scalar subqueries
SELECT (SELECT COUNT(*) FROM orders WHERE status='new') a, (SELECT COUNT(*) FROM orders WHERE status='paid') b, (SELECT MAX(placed_at) FROM orders) c, (SELECT COUNT(*) FROM customers WHERE vip=1) d
-- min and max
SELECT MIN(placed_at), MAX(placed_at) FROM orders
-- min and max of a status
SELECT MIN(placed_at), MAX(placed_at) FROM orders WHERE status='paid'
-- max of an unindexed column
SELECT MAX(credit) FROM customers
-- max by a filter
SELECT MAX(id) FROM orders WHERE status='void'
-- or of two indexes
SELECT COUNT(*) FROM orders WHERE customer_id=17 OR coupon='SAVE3'
-- or of three
SELECT COUNT(*) FROM customers WHERE country='mt' OR status='blocked' OR referrer_id=1
-- and of two indexes
SELECT COUNT(*) FROM orders WHERE coupon='SAVE1' AND shop_id=1 AND status='done'
-- in a long list
SELECT COUNT(*) FROM orders WHERE customer_id IN (1,2,3,5,8,13,21,34,55,89,144,233,377,610,987,1597,2584,4181,6765,10946,17711,28657,46368,75025,121393)
-- not in a list
SELECT COUNT(*) FROM orders WHERE status NOT IN ('done','void')
-- not equal
SELECT COUNT(*) FROM orders WHERE status != 'done'
-- like prefix
SELECT COUNT(*) FROM customers WHERE email LIKE 'anna.1%'
-- like suffix
SELECT COUNT(*) FROM customers WHERE email LIKE '%@example.org'
-- like middle
SELECT COUNT(*) FROM customers WHERE company LIKE '%pany 12%'
-- lower equals
SELECT COUNT(*) FROM customers WHERE LOWER(email)='anna.1@example.com'
-- regexp
SELECT COUNT(*) FROM customers WHERE email REGEXP '^(anna|ben)\\.[0-9]+7@'
-- regexp_like, case
SELECT COUNT(*) FROM customers WHERE REGEXP_LIKE(last_name, '^name[0-9]{2}$', 'i')
-- substring
SELECT COUNT(*) FROM customers WHERE SUBSTRING_INDEX(email,'@',-1)='mail.test'
-- length
SELECT COUNT(*) FROM orders WHERE CHAR_LENGTH(note) > 100
-- arithmetic
SELECT COUNT(*) FROM order_items WHERE qty*price*(1-COALESCE(discount,0)/100) > 1000
-- modulo
SELECT COUNT(*) FROM orders WHERE id % 10 = 3
-- datediff
SELECT COUNT(*) FROM orders WHERE DATEDIFF(shipped_at, placed_at) > 5
-- timestampdiff
SELECT COUNT(*) FROM orders WHERE TIMESTAMPDIFF(HOUR, placed_at, shipped_at) > 100
-- age
SELECT COUNT(*) FROM customers WHERE TIMESTAMPDIFF(YEAR, birthday, '2025-01-01') BETWEEN 30 AND 39
-- interval
SELECT COUNT(*) FROM orders WHERE placed_at > '2025-06-01' - INTERVAL 30 DAY
-- coalesce
SELECT COUNT(*) FROM customers WHERE COALESCE(last_login, created_at) < '2023-01-01'
-- ifnull equals
SELECT COUNT(*) FROM customers WHERE IFNULL(company,'')=''
-- null-safe equals
SELECT COUNT(*) FROM customers WHERE referrer_id <=> NULL
-- enum
SELECT COUNT(*) FROM customers WHERE status='pending'
-- enum in
SELECT COUNT(*) FROM customers WHERE status IN ('pending','blocked')
-- number as string
SELECT COUNT(*) FROM orders WHERE shop_id='7'
-- string as number
SELECT COUNT(*) FROM product_attrs WHERE name='year' AND value=7
-- boolean column
SELECT COUNT(*) FROM customers WHERE vip
-- not boolean
SELECT COUNT(*) FROM comments WHERE NOT approved
-- between decimals
SELECT COUNT(*) FROM products WHERE price BETWEEN 10 AND 20.5
-- double column
SELECT COUNT(*) FROM readings WHERE value > 30.5
-- range on the second key part
SELECT COUNT(*) FROM readings WHERE sensor_id IN (3,5,7) AND at >= '2022-01-02' AND at < '2022-01-03'
-- only the second key part
SELECT COUNT(*) FROM customers WHERE city='City1'
-- row in
SELECT COUNT(*) FROM order_items WHERE (order_id, line) IN ((1,1),(2,1),(3,1),(500,2),(70000,1))
-- or of ranges
SELECT COUNT(*) FROM orders WHERE placed_at < '2022-02-01' OR placed_at > '2025-09-01'
-- and of or
SELECT COUNT(*) FROM orders WHERE (status='new' OR status='paid') AND (shop_id=1 OR shop_id=2)
