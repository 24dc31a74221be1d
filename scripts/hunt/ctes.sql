-- cte used once
WITH q AS (SELECT customer_id, SUM(total) s FROM orders GROUP BY customer_id) SELECT COUNT(*) FROM q WHERE s > 10000
-- cte used twice
WITH q AS (SELECT customer_id, SUM(total) s FROM orders GROUP BY customer_id) SELECT COUNT(*) FROM q WHERE s > (SELECT AVG(s) FROM q)
-- cte chain : ordered
WITH d AS (SELECT DATE(placed_at) d, SUM(total) s FROM orders WHERE placed_at >= '2025-01-01' GROUP BY DATE(placed_at)), r AS (SELECT d, s, AVG(s) OVER (ORDER BY d ROWS 6 PRECEDING) a FROM d) SELECT * FROM r WHERE s > a * 1.3 ORDER BY d
-- cte filtered outside
WITH q AS (SELECT o.*, c.country FROM orders o JOIN customers c ON c.id=o.customer_id) SELECT COUNT(*), SUM(total) FROM q WHERE customer_id=9
-- cte of ids then joins
WITH ids AS (SELECT id FROM orders WHERE status='new' ORDER BY placed_at DESC LIMIT 100) SELECT o.id, i.line, i.qty FROM ids JOIN orders o USING (id) JOIN order_items i ON i.order_id=o.id WHERE i.qty > 5
-- tree down
WITH RECURSIVE t AS (SELECT id, parent_id, name, 0 d FROM categories WHERE id=1 UNION ALL SELECT c.id, c.parent_id, c.name, t.d+1 FROM t JOIN categories c ON c.parent_id=t.id) SELECT * FROM t
-- tree up
WITH RECURSIVE t AS (SELECT id, parent_id, name FROM categories WHERE id=1999 UNION ALL SELECT c.id, c.parent_id, c.name FROM t JOIN categories c ON c.id=t.parent_id) SELECT * FROM t
-- tree with paths
WITH RECURSIVE t (id, path) AS (SELECT id, CAST(name AS CHAR(500)) FROM categories WHERE parent_id IS NULL UNION ALL SELECT c.id, CONCAT(t.path, ' > ', c.name) FROM t JOIN categories c ON c.parent_id=t.id) SELECT * FROM t
-- tree of employees
WITH RECURSIVE t AS (SELECT id, 0 d FROM employees WHERE id=1 UNION ALL SELECT e.id, t.d+1 FROM t JOIN employees e ON e.manager_id=t.id) SELECT d, COUNT(*) FROM t GROUP BY d
-- chain of managers
WITH RECURSIVE t AS (SELECT id, manager_id FROM employees WHERE id=19999 UNION ALL SELECT e.id, e.manager_id FROM t JOIN employees e ON e.id=t.manager_id) SELECT * FROM t
-- products of a subtree
WITH RECURSIVE t AS (SELECT id FROM categories WHERE id=3 UNION ALL SELECT c.id FROM t JOIN categories c ON c.parent_id=t.id) SELECT COUNT(*), AVG(price) FROM products WHERE category_id IN (SELECT id FROM t)
-- sums of subtrees
WITH RECURSIVE t AS (SELECT id root, id FROM categories WHERE depth=1 UNION ALL SELECT t.root, c.id FROM t JOIN categories c ON c.parent_id=t.id) SELECT t.root, COUNT(p.id), SUM(p.stock) FROM t LEFT JOIN products p ON p.category_id=t.id GROUP BY t.root
-- thread of comments
WITH RECURSIVE t AS (SELECT id, parent_id, 0 d FROM comments WHERE post_id=5 AND parent_id IS NULL UNION ALL SELECT c.id, c.parent_id, d+1 FROM t JOIN comments c ON c.parent_id=t.id WHERE d < 8) SELECT d, COUNT(*) FROM t GROUP BY d
-- referrals
WITH RECURSIVE t AS (SELECT id, 1 d FROM customers WHERE id=1 UNION ALL SELECT c.id, t.d+1 FROM t JOIN customers c ON c.referrer_id=t.id WHERE t.d < 5) SELECT d, COUNT(*) FROM t GROUP BY d
-- referrals with union distinct
WITH RECURSIVE t AS (SELECT 1 id UNION SELECT c.id FROM t JOIN customers c ON c.referrer_id=t.id) SELECT COUNT(*) FROM t
-- numbers
WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i+1 FROM n WHERE i < 10000) SELECT SUM(i) FROM n
-- many numbers
WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i+1 FROM n WHERE i < 500000) SELECT SUM(i) FROM n
-- days with left join : ordered
WITH RECURSIVE d AS (SELECT DATE('2025-01-01') d UNION ALL SELECT d + INTERVAL 1 DAY FROM d WHERE d < '2025-03-31') SELECT d.d, COUNT(o.id) FROM d LEFT JOIN orders o ON o.placed_at >= d.d AND o.placed_at < d.d + INTERVAL 1 DAY GROUP BY d.d ORDER BY d.d
-- fibonacci
WITH RECURSIVE f AS (SELECT 1 n, CAST(1 AS DECIMAL(60)) a, CAST(1 AS DECIMAL(60)) b UNION ALL SELECT n+1, b, a+b FROM f WHERE n < 200) SELECT MAX(a) FROM f
-- split of a list
WITH RECURSIVE s AS (SELECT 'a,b,c,d,e,f,g,h' rest, CAST('' AS CHAR(20)) item UNION ALL SELECT IF(LOCATE(',',rest), SUBSTRING(rest, LOCATE(',',rest)+1), ''), SUBSTRING_INDEX(rest, ',', 1) FROM s WHERE rest <> '') SELECT item FROM s WHERE item <> ''
-- cte in exists
WITH big AS (SELECT customer_id FROM orders WHERE total > 9000) SELECT COUNT(*) FROM customers c WHERE EXISTS (SELECT 1 FROM big WHERE big.customer_id=c.id)
-- cte of windows
WITH r AS (SELECT id, customer_id, total, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY total DESC) n FROM orders) SELECT n, AVG(total) FROM r WHERE n <= 5 GROUP BY n
-- cte union
WITH a AS (SELECT customer_id, total FROM orders WHERE status='paid'), b AS (SELECT customer_id, total FROM archive) SELECT customer_id, SUM(total) FROM (SELECT * FROM a UNION ALL SELECT * FROM b) x GROUP BY customer_id HAVING COUNT(*) > 20
