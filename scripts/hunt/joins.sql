-- two tables by primary key
SELECT COUNT(*), SUM(i.qty) FROM orders o JOIN order_items i ON i.order_id=o.id WHERE o.placed_at >= '2025-05-01'
-- all of two tables
SELECT COUNT(*), SUM(i.qty*i.price) FROM orders o JOIN order_items i ON i.order_id=o.id
-- three tables, selective at the end
SELECT o.id, i.qty FROM orders o JOIN order_items i ON i.order_id=o.id JOIN products p ON p.id=i.product_id WHERE p.sku='SKU-015000'
-- three tables, selective in the middle
SELECT c.id, o.id, i.line FROM customers c JOIN orders o ON o.customer_id=c.id JOIN order_items i ON i.order_id=o.id WHERE o.coupon='SAVE77'
-- five tables
SELECT COUNT(*) FROM customers c JOIN orders o ON o.customer_id=c.id JOIN order_items i ON i.order_id=o.id JOIN products p ON p.id=i.product_id JOIN categories g ON g.id=p.category_id WHERE c.country='at' AND g.depth=2
-- seven tables of one order
SELECT o.id, c.email, i.line, p.name, g.name, y.method, e.name FROM orders o JOIN customers c ON c.id=o.customer_id JOIN order_items i ON i.order_id=o.id JOIN products p ON p.id=i.product_id JOIN categories g ON g.id=p.category_id LEFT JOIN payments y ON y.order_id=o.id LEFT JOIN employees e ON e.id=o.employee_id WHERE o.id=777
-- left joins of a list
SELECT o.id, c.email, y.state, e.name FROM orders o LEFT JOIN customers c ON c.id=o.customer_id LEFT JOIN payments y ON y.order_id=o.id LEFT JOIN employees e ON e.id=o.employee_id WHERE o.status='new'
-- left join with a where of the right
SELECT COUNT(*) FROM orders o LEFT JOIN payments y ON y.order_id=o.id WHERE y.state='refunded'
-- left join with or null
SELECT COUNT(*) FROM orders o LEFT JOIN payments y ON y.order_id=o.id WHERE y.state='failed' OR y.id IS NULL
-- self join, manager
SELECT COUNT(*) FROM employees e JOIN employees m ON m.id=e.manager_id WHERE e.salary > m.salary
-- self join, twice
SELECT COUNT(*) FROM employees e JOIN employees m ON m.id=e.manager_id JOIN employees b ON b.id=m.manager_id WHERE b.department_id=3
-- unindexed equality
SELECT COUNT(*) FROM products p JOIN staging s ON s.stock=p.stock WHERE p.category_id=1
-- unindexed equality of large tables
SELECT COUNT(*) FROM orders o JOIN payments y ON y.amount=o.total
-- text to text, different columns
SELECT COUNT(*) FROM product_attrs a JOIN tags t ON t.name=a.value
-- by string of different lengths
SELECT COUNT(*) FROM staging s JOIN products p ON p.sku=s.sku WHERE p.price <> s.price
-- range join
SELECT COUNT(*) FROM calendar c JOIN orders o ON o.placed_at >= c.day AND o.placed_at < c.day + INTERVAL 1 DAY WHERE c.holiday=1
-- between join
SELECT b.n, COUNT(*) FROM (SELECT 1 n, 0 lo, 50 hi UNION ALL SELECT 2, 50, 500 UNION ALL SELECT 3, 500, 100000) b JOIN orders o ON o.total >= b.lo AND o.total < b.hi GROUP BY b.n
-- or in the join
SELECT COUNT(*) FROM employees e JOIN departments d ON d.id=e.department_id OR d.id=e.id
-- or of two keys in the join
SELECT c.id, COUNT(*) FROM customers c JOIN orders o ON o.customer_id=c.id OR o.customer_id=c.referrer_id WHERE c.id BETWEEN 5000 AND 5100 GROUP BY c.id
-- using
SELECT COUNT(*) FROM readings a JOIN readings b USING (at) WHERE a.sensor_id=1 AND b.sensor_id=2
-- natural ways of many to many
SELECT t.name, COUNT(*) FROM likes l JOIN post_tags pt ON pt.post_id=l.post_id JOIN tags t ON t.id=pt.tag_id WHERE l.customer_id=3 GROUP BY t.name
-- friends of friends
SELECT COUNT(DISTINCT b.customer_id) FROM likes a JOIN likes b ON b.post_id=a.post_id WHERE a.customer_id=7 AND b.customer_id <> 7
-- similar users : ordered
SELECT b.customer_id, COUNT(*) n FROM likes a JOIN likes b ON b.post_id=a.post_id AND b.customer_id <> a.customer_id WHERE a.customer_id=15 GROUP BY b.customer_id ORDER BY n DESC, b.customer_id LIMIT 10
-- recommended : ordered
SELECT l2.post_id, COUNT(*) n FROM likes l1 JOIN likes m ON m.post_id=l1.post_id JOIN likes l2 ON l2.customer_id=m.customer_id LEFT JOIN likes own ON own.customer_id=l1.customer_id AND own.post_id=l2.post_id WHERE l1.customer_id=150000 AND own.post_id IS NULL GROUP BY l2.post_id ORDER BY n DESC, l2.post_id LIMIT 10
-- cross join of small ones
SELECT c.code, d.name, COUNT(o.id) FROM countries c CROSS JOIN departments d LEFT JOIN employees e ON e.department_id=d.id AND e.salary > 11500 LEFT JOIN orders o ON o.employee_id=e.id AND o.status='new' WHERE c.region='North' GROUP BY c.code, d.name
-- straight join
SELECT STRAIGHT_JOIN COUNT(*) FROM customers c JOIN orders o ON o.customer_id=c.id WHERE o.status='new'
-- join on an expression
SELECT COUNT(*) FROM staging s JOIN products p ON p.id=CAST(SUBSTRING(s.sku,5) AS UNSIGNED)
-- join with like
SELECT COUNT(*) FROM tags t JOIN posts p ON p.slug LIKE CONCAT('%-', t.name) WHERE t.id < 10
-- join of a date
SELECT COUNT(*) FROM attendance a JOIN calendar c ON c.day=a.day WHERE c.weekday >= 5
-- join of a date and a datetime
SELECT COUNT(*) FROM calendar c JOIN readings r ON r.at=c.day
-- derived limit joined
SELECT COUNT(*) FROM (SELECT id FROM customers WHERE country='de' ORDER BY id LIMIT 1000) c JOIN orders o ON o.customer_id=c.id
-- large in list joined
SELECT COUNT(*) FROM orders o JOIN order_items i ON i.order_id=o.id WHERE o.customer_id IN (1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20)
-- values joined
SELECT v.column_0, COUNT(o.id) FROM (VALUES ROW(1),ROW(2),ROW(3),ROW(100)) v LEFT JOIN orders o ON o.customer_id=v.column_0 GROUP BY v.column_0
-- json_table of a list
SELECT c.id, c.email FROM JSON_TABLE('[1,2,3,500,70000]', '$[*]' COLUMNS (id BIGINT PATH '$')) j JOIN customers c ON c.id=j.id
-- optional filters
SELECT COUNT(*) FROM orders WHERE (NULL IS NULL OR status=NULL) AND (3 IS NULL OR shop_id=3) AND ('' = '' OR coupon='')
-- optional filters by coalesce
SELECT COUNT(*) FROM orders WHERE shop_id=COALESCE(NULL, shop_id) AND status=COALESCE('new', status)
-- aggregate of a join of a key range
SELECT SUM(i.qty) FROM order_items i JOIN orders o ON o.id=i.order_id WHERE i.order_id BETWEEN 1000 AND 3000 AND o.status='done'
-- two left joins that multiply
SELECT p.id, COUNT(DISTINCT c.id), COUNT(DISTINCT l.customer_id) FROM posts p LEFT JOIN comments c ON c.post_id=p.id LEFT JOIN likes l ON l.post_id=p.id WHERE p.id BETWEEN 20000 AND 20500 GROUP BY p.id
-- hibernate's join fetch : count
SELECT DISTINCT o.id, o.total, i.line, i.qty, p.name FROM orders o LEFT OUTER JOIN order_items i ON o.id=i.order_id LEFT OUTER JOIN products p ON i.product_id=p.id WHERE o.customer_id=100
-- only from the left needed
SELECT COUNT(c.id) FROM customers c LEFT JOIN countries k ON k.code=c.country
-- ranges of both
SELECT COUNT(*) FROM orders o JOIN customers c ON c.id=o.customer_id WHERE o.placed_at > '2025-06-01' AND c.created_at > '2024-06-01'
-- skewed key
SELECT COUNT(*) FROM events e JOIN orders o ON o.customer_id=e.customer_id WHERE e.kind='purchase' AND o.status='void'
