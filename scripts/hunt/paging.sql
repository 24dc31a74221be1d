-- first page by id : ordered
SELECT id, email, status FROM customers ORDER BY id LIMIT 25
-- offset 100 by id : ordered
SELECT id, email, status FROM customers ORDER BY id LIMIT 25 OFFSET 100
-- offset 100000 by id : ordered
SELECT id, email, status FROM customers ORDER BY id LIMIT 25 OFFSET 100000
-- offset 100000 by id, late join : ordered
SELECT c.* FROM customers c JOIN (SELECT id FROM customers ORDER BY id LIMIT 25 OFFSET 100000) p USING (id) ORDER BY c.id
-- last page descending : ordered
SELECT id, total FROM orders ORDER BY id DESC LIMIT 25
-- newest by date, tie by id : ordered
SELECT id, placed_at, total FROM orders ORDER BY placed_at DESC, id DESC LIMIT 50
-- newest by date, tie by id ascending : ordered
SELECT id, placed_at, total FROM orders ORDER BY placed_at DESC, id LIMIT 50
-- offset by date : ordered
SELECT id, placed_at, total FROM orders ORDER BY placed_at DESC, id DESC LIMIT 50 OFFSET 5000
-- offset deep by date : ordered
SELECT id, placed_at, total FROM orders ORDER BY placed_at DESC, id DESC LIMIT 50 OFFSET 150000
-- filter and order by one index : ordered
SELECT id, placed_at, total FROM orders WHERE status='paid' ORDER BY placed_at DESC, id DESC LIMIT 50
-- filter and order by one index, offset : ordered
SELECT id, placed_at, total FROM orders WHERE status='done' ORDER BY placed_at DESC, id DESC LIMIT 50 OFFSET 2000
-- filter of the many, order by id : ordered
SELECT id, placed_at, total FROM orders WHERE status='done' ORDER BY id LIMIT 50
-- filter of the few, order by id : ordered
SELECT id, placed_at, total FROM orders WHERE status='new' ORDER BY id LIMIT 50
-- filter of the few, order by id descending : ordered
SELECT * FROM orders WHERE status='void' ORDER BY id DESC LIMIT 20
-- two filters, order by date : ordered
SELECT id, placed_at FROM orders WHERE shop_id=3 AND status='paid' ORDER BY placed_at DESC, id DESC LIMIT 20
-- statuses in a list, order by date : ordered
SELECT id, status, placed_at FROM orders WHERE status IN ('new','paid') ORDER BY placed_at DESC, id DESC LIMIT 20
-- not one status, order by date : ordered
SELECT id, status, placed_at FROM orders WHERE status <> 'done' ORDER BY placed_at DESC, id DESC LIMIT 20
-- unindexed filter, order by indexed date : ordered
SELECT id, placed_at FROM orders WHERE currency='GBP' ORDER BY placed_at DESC, id DESC LIMIT 20
-- unindexed rare filter, order by indexed date : ordered
SELECT id, placed_at FROM orders WHERE note LIKE '%phone chair lamp%' ORDER BY placed_at DESC, id DESC LIMIT 20
-- order by unindexed expression : ordered
SELECT id, total FROM orders ORDER BY total * 2 DESC, id LIMIT 20
-- order by two columns of one index : ordered
SELECT id, last_name, first_name FROM customers ORDER BY last_name, first_name, id LIMIT 50
-- order by two columns of one index, mixed : ordered
SELECT id, last_name, first_name FROM customers ORDER BY last_name, first_name DESC, id LIMIT 50
-- order by case : ordered
SELECT id, status FROM orders ORDER BY CASE status WHEN 'new' THEN 0 WHEN 'paid' THEN 1 ELSE 2 END, id LIMIT 20
-- order by field() : ordered
SELECT id, status FROM customers WHERE country='lu' ORDER BY FIELD(status,'blocked','pending','active'), id LIMIT 20
-- order by nulls last : ordered
SELECT id, last_login FROM customers ORDER BY last_login IS NULL, last_login DESC, id LIMIT 20
-- order by random : count
SELECT id FROM products WHERE active=1 ORDER BY RAND() LIMIT 10
-- keyset by id : ordered
SELECT id, email FROM customers WHERE id > 120000 ORDER BY id LIMIT 50
-- keyset by id backwards : ordered
SELECT id, email FROM customers WHERE id < 120000 ORDER BY id DESC LIMIT 50
-- keyset by date and id : ordered
SELECT id, placed_at FROM orders WHERE placed_at < '2024-01-01' OR (placed_at = '2024-01-01' AND id < 100000) ORDER BY placed_at DESC, id DESC LIMIT 50
-- keyset as a row : ordered
SELECT id, placed_at FROM orders WHERE (placed_at, id) < ('2024-01-01', 100000) ORDER BY placed_at DESC, id DESC LIMIT 50
-- keyset, doctrine's way : ordered
SELECT id, placed_at FROM orders WHERE placed_at <= '2024-01-01' AND (placed_at < '2024-01-01' OR id < 100000) ORDER BY placed_at DESC, id DESC LIMIT 50
-- keyset with status : ordered
SELECT id, placed_at FROM orders WHERE status='done' AND (placed_at > '2023-06-01' OR (placed_at = '2023-06-01' AND id > 70000)) ORDER BY placed_at, id LIMIT 50
-- keyset by three columns : ordered
SELECT id, last_name, first_name FROM customers WHERE last_name > 'Name7' OR (last_name = 'Name7' AND first_name > 'Leo') OR (last_name = 'Name7' AND first_name = 'Leo' AND id > 5000) ORDER BY last_name, first_name, id LIMIT 50
-- keyset mixed directions : ordered
SELECT id, total FROM orders WHERE total < 900 OR (total = 900 AND id > 100) ORDER BY total DESC, id LIMIT 50
-- keyset by country and city : ordered
SELECT id, country, city FROM customers WHERE (country, city) > ('de', 'City20') ORDER BY country, city, id LIMIT 50
-- page of a join : ordered
SELECT o.id, o.total, c.email FROM orders o JOIN customers c ON c.id=o.customer_id ORDER BY o.placed_at DESC, o.id DESC LIMIT 25
-- page of a join with offset : ordered
SELECT o.id, o.total, c.email FROM orders o JOIN customers c ON c.id=o.customer_id ORDER BY o.placed_at DESC, o.id DESC LIMIT 25 OFFSET 1000
-- page of a left join : ordered
SELECT c.id, c.email, o.id, o.total FROM customers c LEFT JOIN orders o ON o.customer_id=c.id ORDER BY c.id, o.id LIMIT 50
-- page of a join filtered on both : ordered
SELECT o.id, c.email FROM orders o JOIN customers c ON c.id=o.customer_id WHERE o.status='paid' AND c.country='de' ORDER BY o.placed_at DESC, o.id DESC LIMIT 25
-- page of a join ordered by the other : ordered
SELECT o.id, c.created_at FROM orders o JOIN customers c ON c.id=o.customer_id WHERE o.status='new' ORDER BY c.created_at DESC, o.id LIMIT 25
-- page of three tables : ordered
SELECT o.id, c.email, p.method FROM orders o JOIN customers c ON c.id=o.customer_id LEFT JOIN payments p ON p.order_id=o.id WHERE o.shop_id=7 ORDER BY o.placed_at DESC, o.id DESC LIMIT 25
-- page of distinct parents : ordered
SELECT DISTINCT c.id, c.email FROM customers c JOIN orders o ON o.customer_id=c.id WHERE o.total > 5000 ORDER BY c.id LIMIT 25
-- page of distinct parents ordered by date : ordered
SELECT DISTINCT c.id, c.created_at FROM customers c JOIN orders o ON o.customer_id=c.id WHERE o.total > 5000 ORDER BY c.created_at DESC, c.id LIMIT 25
-- django admin's page : ordered
SELECT p.id, p.title, p.published_at, p.author_id, c.email FROM posts p INNER JOIN customers c ON (p.author_id = c.id) WHERE p.state='published' ORDER BY p.published_at DESC, p.id DESC LIMIT 100
-- window count page : ordered
SELECT id, total, COUNT(*) OVER () n FROM orders WHERE shop_id=5 ORDER BY id LIMIT 20
-- sql_calc_found_rows : ordered
SELECT SQL_CALC_FOUND_ROWS id, total FROM orders WHERE status='paid' ORDER BY placed_at DESC, id DESC LIMIT 20
-- seek and count : ordered
SELECT id FROM events WHERE kind='error' AND at < '2024-06-01' ORDER BY at DESC, id DESC LIMIT 100
-- page of a union : ordered
(SELECT id, placed_at at, 'o' k FROM orders WHERE customer_id=3) UNION ALL (SELECT id, created_at, 'c' FROM comments WHERE author_id=3) ORDER BY at DESC, k, id LIMIT 20
-- page of a union of limits : ordered
(SELECT id, placed_at at FROM orders ORDER BY placed_at DESC, id DESC LIMIT 20) UNION ALL (SELECT id, created_at FROM customers ORDER BY created_at DESC, id DESC LIMIT 20) ORDER BY at DESC, id LIMIT 20
-- page of a union of everything : ordered
SELECT id, placed_at at FROM orders UNION ALL SELECT id, created_at FROM customers ORDER BY at DESC, id LIMIT 20
-- page of a derived union : ordered
SELECT * FROM (SELECT id, customer_id, placed_at at FROM orders UNION ALL SELECT id, customer_id, placed_at FROM archive) x WHERE customer_id=12 ORDER BY at DESC, id LIMIT 20
-- page of a view : ordered
SELECT * FROM open_orders WHERE country='fr' ORDER BY placed_at DESC, id DESC LIMIT 20
-- prefix search page : ordered
SELECT id, last_name FROM customers WHERE last_name LIKE 'Name12%' ORDER BY last_name, id LIMIT 20
-- prefix search ordered by id : ordered
SELECT id, last_name FROM customers WHERE last_name LIKE 'Name12%' ORDER BY id LIMIT 20
-- search in three columns : ordered
SELECT id, email FROM customers WHERE first_name LIKE 'Ann%' OR last_name LIKE 'Ann%' OR email LIKE 'ann%' ORDER BY id LIMIT 20
-- contains, ordered by id : ordered
SELECT id, email FROM customers WHERE email LIKE '%777@%' ORDER BY id LIMIT 20
-- soft deletes : ordered
SELECT id, email FROM customers WHERE deleted_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 20
-- soft deleted : ordered
SELECT id, email FROM customers WHERE deleted_at IS NOT NULL ORDER BY deleted_at DESC, id DESC LIMIT 20
-- soft deletes and status : ordered
SELECT id, email FROM customers WHERE deleted_at IS NULL AND status='pending' ORDER BY created_at, id LIMIT 20
-- timeline of whom I like : ordered
SELECT p.id, p.title FROM posts p WHERE p.author_id IN (SELECT author_id FROM posts p2 JOIN likes l ON l.post_id=p2.id WHERE l.customer_id=9) AND p.state='published' ORDER BY p.published_at DESC, p.id LIMIT 20
-- tagged posts, newest : ordered
SELECT p.id, p.title FROM posts p JOIN post_tags t ON t.post_id=p.id WHERE t.tag_id=3 AND p.state='published' ORDER BY p.published_at DESC, p.id DESC LIMIT 20
-- posts with both tags : ordered
SELECT p.id FROM posts p JOIN post_tags t ON t.post_id=p.id WHERE t.tag_id IN (1,2) GROUP BY p.id HAVING COUNT(*)=2 ORDER BY p.id LIMIT 20
-- limit in subquery then join : ordered
SELECT o.*, c.email FROM (SELECT * FROM orders WHERE status='done' ORDER BY placed_at DESC, id DESC LIMIT 20) o JOIN customers c ON c.id=o.customer_id ORDER BY o.placed_at DESC, o.id DESC
-- rails includes : each
SELECT * FROM orders WHERE status='new' ORDER BY id LIMIT 20
SELECT * FROM customers WHERE id IN (1,2,3,15,77,301,4005,50001,60002,70003,80004,90005,100006,110007,120008,130009,140010,150011,160012,170013)
SELECT * FROM order_items WHERE order_id IN (1,2,3,15,77,301,4005,50001,60002,70003,80004,90005,100006,110007,120008,130009,140010,150011,160012,170013)
-- distinct on part of the order : ordered
SELECT DISTINCT country, city FROM customers ORDER BY country LIMIT 0
-- distinct ordered by one of two columns : count
SELECT DISTINCT country, city FROM customers ORDER BY country LIMIT 30
-- distinct ordered by a later column : ordered
SELECT DISTINCT city, country FROM customers WHERE country='de' ORDER BY city LIMIT 30
