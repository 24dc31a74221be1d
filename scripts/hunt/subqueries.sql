-- exists
SELECT COUNT(*) FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id=c.id)
-- exists with a filter
SELECT COUNT(*) FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id=c.id AND o.total > 5000)
-- exists of a small outer
SELECT c.id FROM customers c WHERE c.status='blocked' AND EXISTS (SELECT 1 FROM orders o WHERE o.customer_id=c.id AND o.status='done')
-- not exists
SELECT COUNT(*) FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id=c.id)
-- not exists with a filter
SELECT COUNT(*) FROM orders o WHERE NOT EXISTS (SELECT 1 FROM payments p WHERE p.order_id=o.id AND p.state='captured')
-- not exists and exists
SELECT COUNT(*) FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id=c.id AND o.status='done') AND NOT EXISTS (SELECT 1 FROM events e WHERE e.customer_id=c.id AND e.kind='error')
-- in
SELECT COUNT(*) FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE total > 5000)
-- in of a large result
SELECT COUNT(*) FROM customers WHERE id IN (SELECT customer_id FROM orders)
-- in, nested
SELECT COUNT(*) FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE id IN (SELECT order_id FROM order_items WHERE product_id IN (SELECT id FROM products WHERE price > 495)))
-- not in
SELECT COUNT(*) FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)
-- not in of a nullable column
SELECT COUNT(*) FROM customers WHERE id NOT IN (SELECT referrer_id FROM customers WHERE referrer_id IS NOT NULL)
-- not in of nulls
SELECT COUNT(*) FROM customers WHERE referrer_id NOT IN (SELECT customer_id FROM orders WHERE status='void')
-- any
SELECT COUNT(*) FROM products WHERE price > ANY (SELECT price FROM products WHERE category_id=7)
-- all
SELECT COUNT(*) FROM products WHERE price >= ALL (SELECT price FROM products WHERE category_id=7)
-- all correlated
SELECT COUNT(*) FROM products p WHERE price >= ALL (SELECT price FROM products q WHERE q.category_id=p.category_id)
-- equal any
SELECT COUNT(*) FROM customers WHERE country = ANY (SELECT code FROM countries WHERE region='North')
-- left join is null
SELECT COUNT(*) FROM customers c LEFT JOIN orders o ON o.customer_id=c.id WHERE o.id IS NULL
-- left join is null with a filter in the join
SELECT COUNT(*) FROM orders o LEFT JOIN payments p ON p.order_id=o.id AND p.state='captured' WHERE p.id IS NULL
-- scalar in the list
SELECT c.id, (SELECT COUNT(*) FROM orders o WHERE o.customer_id=c.id) n FROM customers c WHERE c.status='blocked'
-- scalar in the list of all
SELECT SUM(n) FROM (SELECT (SELECT COUNT(*) FROM orders o WHERE o.customer_id=c.id) n FROM customers c) x
-- several scalars in the list
SELECT p.id, (SELECT COUNT(*) FROM comments c WHERE c.post_id=p.id) a, (SELECT COUNT(*) FROM likes l WHERE l.post_id=p.id) b, (SELECT COUNT(*) FROM post_tags t WHERE t.post_id=p.id) c FROM posts p WHERE p.id BETWEEN 1000 AND 1500
-- scalar in the order : ordered
SELECT p.id FROM posts p WHERE p.author_id < 50 ORDER BY (SELECT COUNT(*) FROM comments c WHERE c.post_id=p.id) DESC, p.id LIMIT 10
-- scalar in a comparison
SELECT COUNT(*) FROM orders WHERE total > (SELECT AVG(total) FROM orders)
-- scalar in a comparison, correlated
SELECT COUNT(*) FROM orders o WHERE o.total > (SELECT AVG(x.total) FROM orders x WHERE x.shop_id=o.shop_id) AND o.status='new'
-- exists or a column
SELECT COUNT(*) FROM customers c WHERE c.vip=1 OR EXISTS (SELECT 1 FROM orders o WHERE o.customer_id=c.id AND o.total > 9000)
-- in or in
SELECT COUNT(*) FROM customers c WHERE c.id IN (SELECT customer_id FROM orders WHERE status='void') OR c.id IN (SELECT author_id FROM posts WHERE state='hidden')
-- case with exists
SELECT SUM(CASE WHEN EXISTS (SELECT 1 FROM orders o WHERE o.customer_id=c.id) THEN 1 ELSE 0 END) FROM customers c WHERE c.country='es'
-- exists of a join
SELECT COUNT(*) FROM customers c WHERE EXISTS (SELECT 1 FROM orders o JOIN order_items i ON i.order_id=o.id WHERE o.customer_id=c.id AND i.product_id=1)
-- exists with a date of the outer
SELECT COUNT(*) FROM orders o WHERE o.status='paid' AND EXISTS (SELECT 1 FROM orders x WHERE x.customer_id=o.customer_id AND x.placed_at > o.placed_at)
-- two levels of correlation
SELECT COUNT(*) FROM customers c WHERE c.country='it' AND EXISTS (SELECT 1 FROM orders o WHERE o.customer_id=c.id AND EXISTS (SELECT 1 FROM payments p WHERE p.order_id=o.id AND p.state='refunded'))
-- relational division
SELECT p.product_id FROM product_attrs p WHERE NOT EXISTS (SELECT 1 FROM (SELECT 'color' n UNION ALL SELECT 'size' UNION ALL SELECT 'year') w WHERE NOT EXISTS (SELECT 1 FROM product_attrs q WHERE q.product_id=p.product_id AND q.name=w.n)) AND p.name='color' AND p.value='color1'
-- eav by joins
SELECT p.id FROM products p JOIN product_attrs a ON a.product_id=p.id AND a.name='color' AND a.value='color1' JOIN product_attrs b ON b.product_id=p.id AND b.name='size' AND b.value='size2' WHERE p.active=1
-- eav by exists
SELECT p.id FROM products p WHERE EXISTS (SELECT 1 FROM product_attrs a WHERE a.product_id=p.id AND a.name='color' AND a.value='color1') AND EXISTS (SELECT 1 FROM product_attrs a WHERE a.product_id=p.id AND a.name='size' AND a.value='size2') AND p.active=1
-- eav by group and having
SELECT product_id FROM product_attrs WHERE (name='color' AND value='color1') OR (name='size' AND value='size2') GROUP BY product_id HAVING COUNT(*)=2
-- eav facets
SELECT name, value, COUNT(*) n FROM product_attrs WHERE product_id IN (SELECT product_id FROM product_attrs WHERE name='color' AND value='color1') GROUP BY name, value
-- derived with a filter outside
SELECT * FROM (SELECT customer_id, COUNT(*) n, SUM(total) s FROM orders GROUP BY customer_id) x WHERE customer_id=44
-- view with a filter outside
SELECT * FROM order_sums WHERE customer_id IN (1,2,3)
-- view joined
SELECT c.id, s.orders, s.total FROM customers c JOIN order_sums s ON s.customer_id=c.id WHERE c.status='blocked'
-- view left joined
SELECT c.id, s.orders FROM customers c LEFT JOIN order_sums s ON s.customer_id=c.id WHERE c.email='anna.1@example.com' OR c.id < 20
-- derived joined to derived
SELECT COUNT(*) FROM (SELECT customer_id, COUNT(*) n FROM orders GROUP BY customer_id) a JOIN (SELECT customer_id, COUNT(*) m FROM events GROUP BY customer_id) b USING (customer_id) WHERE a.n > b.m
-- two aggregates left joined
SELECT COUNT(*), SUM(a.n), SUM(b.m) FROM customers c LEFT JOIN (SELECT customer_id, COUNT(*) n FROM orders GROUP BY customer_id) a ON a.customer_id=c.id LEFT JOIN (SELECT author_id, COUNT(*) m FROM posts GROUP BY author_id) b ON b.author_id=c.id WHERE c.country='de'
-- exists with limit
SELECT EXISTS (SELECT 1 FROM orders WHERE customer_id=1 AND status='void')
-- exists of nothing
SELECT EXISTS (SELECT * FROM orders WHERE note='no such note at all')
-- in with union
SELECT COUNT(*) FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE status='new' UNION SELECT author_id FROM posts WHERE state='draft')
-- in of a grouped subquery
SELECT COUNT(*) FROM products WHERE id IN (SELECT product_id FROM order_items GROUP BY product_id HAVING SUM(qty) > 100)
-- in over a limited derived
SELECT COUNT(*) FROM orders WHERE customer_id IN (SELECT id FROM (SELECT id FROM customers ORDER BY created_at DESC LIMIT 100) x)
-- row in of a subquery
SELECT COUNT(*) FROM order_items WHERE (order_id, product_id) IN (SELECT id, shop_id FROM orders WHERE status='paid')
-- max subquery of a join
SELECT id, total FROM orders WHERE id=(SELECT MAX(o.id) FROM orders o JOIN customers c ON c.id=o.customer_id WHERE c.country='mt')
-- scalar of a scalar
SELECT name FROM departments WHERE id=(SELECT department_id FROM employees WHERE salary=(SELECT MAX(salary) FROM employees) LIMIT 1)
-- except
SELECT COUNT(*) FROM (SELECT customer_id FROM orders EXCEPT SELECT customer_id FROM archive) x
-- intersect
SELECT COUNT(*) FROM (SELECT customer_id FROM orders WHERE total>1000 INTERSECT SELECT author_id FROM posts) x
-- union distinct
SELECT COUNT(*) FROM (SELECT customer_id FROM orders UNION SELECT author_id FROM posts UNION SELECT customer_id FROM events WHERE customer_id IS NOT NULL) x
-- union with a filter outside
SELECT COUNT(*) FROM (SELECT id, customer_id, total FROM orders UNION ALL SELECT id, customer_id, total FROM archive) x WHERE customer_id=5
-- full outer join by union
SELECT COUNT(*) FROM (SELECT a.id FROM archive a LEFT JOIN orders o ON o.id=a.id UNION ALL SELECT o.id FROM orders o LEFT JOIN archive a ON a.id=o.id WHERE a.id IS NULL) x
