-- latest per group, join of max
SELECT o.id, o.customer_id, o.placed_at FROM orders o JOIN (SELECT customer_id, MAX(id) id FROM orders GROUP BY customer_id) m ON m.id=o.id WHERE o.total > 5000
-- latest per group, join of max date
SELECT o.id, o.customer_id FROM orders o JOIN (SELECT customer_id, MAX(placed_at) at FROM orders GROUP BY customer_id) m ON m.customer_id=o.customer_id AND m.at=o.placed_at WHERE o.total > 5000
-- latest per group, correlated max
SELECT o.id, o.customer_id FROM orders o WHERE o.placed_at=(SELECT MAX(placed_at) FROM orders x WHERE x.customer_id=o.customer_id) AND o.shop_id=9
-- latest per group, anti join
SELECT o.id, o.customer_id FROM orders o LEFT JOIN orders n ON n.customer_id=o.customer_id AND n.placed_at > o.placed_at WHERE n.id IS NULL AND o.customer_id > 100000
-- latest per group, not exists
SELECT o.id, o.customer_id FROM orders o WHERE o.customer_id > 100000 AND NOT EXISTS (SELECT 1 FROM orders n WHERE n.customer_id=o.customer_id AND n.placed_at > o.placed_at)
-- latest per group, row_number
SELECT id, customer_id FROM (SELECT id, customer_id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC, id DESC) r FROM orders) x WHERE r=1
-- latest per group, row_number over a filter
SELECT id, customer_id FROM (SELECT id, customer_id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at DESC, id DESC) r FROM orders WHERE status='paid') x WHERE r=1
-- latest per group, lateral
SELECT c.id, o.id, o.total FROM customers c JOIN LATERAL (SELECT id, total FROM orders o WHERE o.customer_id=c.id ORDER BY placed_at DESC, id DESC LIMIT 1) o WHERE c.country='lt'
-- latest per group, in of max
SELECT id, total FROM orders WHERE id IN (SELECT MAX(id) FROM orders GROUP BY customer_id) AND status='new'
-- latest per group, row in
SELECT id FROM orders WHERE (customer_id, placed_at) IN (SELECT customer_id, MAX(placed_at) FROM orders GROUP BY customer_id) AND total > 8000
-- latest per group of an index only
SELECT customer_id, MAX(placed_at) FROM orders GROUP BY customer_id
-- first and last per group
SELECT customer_id, MIN(placed_at), MAX(placed_at) FROM orders WHERE customer_id < 2000 GROUP BY customer_id
-- latest per group by scalar subquery
SELECT c.id, (SELECT o.id FROM orders o WHERE o.customer_id=c.id ORDER BY o.placed_at DESC, o.id DESC LIMIT 1) latest FROM customers c WHERE c.status='blocked'
-- latest per sensor
SELECT r.* FROM readings r JOIN (SELECT sensor_id, MAX(at) at FROM readings GROUP BY sensor_id) m USING (sensor_id, at)
-- latest per sensor by lateral
SELECT s.n, r.at, r.value FROM numbers s, LATERAL (SELECT at, value FROM readings r WHERE r.sensor_id=s.n ORDER BY at DESC LIMIT 1) r WHERE s.n BETWEEN 1 AND 500
-- latest per kind
SELECT kind, MAX(at) FROM events GROUP BY kind
-- latest with its id by group_concat
SELECT kind, SUBSTRING_INDEX(GROUP_CONCAT(id ORDER BY at DESC), ',', 1) FROM events WHERE kind IN ('error','purchase') GROUP BY kind
-- latest comment of each post on a page : ordered
SELECT p.id, (SELECT c.body FROM comments c WHERE c.post_id=p.id ORDER BY c.created_at DESC LIMIT 1) FROM posts p ORDER BY p.id LIMIT 50
-- latest of two tables
SELECT c.id, GREATEST(COALESCE((SELECT MAX(placed_at) FROM orders WHERE customer_id=c.id), c.created_at), COALESCE((SELECT MAX(at) FROM events WHERE customer_id=c.id), c.created_at)) FROM customers c WHERE c.vip=1
-- top three per group, row_number
SELECT shop_id, id, total FROM (SELECT shop_id, id, total, ROW_NUMBER() OVER (PARTITION BY shop_id ORDER BY total DESC, id) r FROM orders) x WHERE r <= 3
-- top three per group, rank
SELECT shop_id, id, total FROM (SELECT shop_id, id, total, RANK() OVER (PARTITION BY shop_id ORDER BY total DESC) r FROM orders) x WHERE r <= 3
-- top three per group, correlated count
SELECT p.category_id, p.id FROM products p WHERE p.category_id > 1800 AND (SELECT COUNT(*) FROM products q WHERE q.category_id=p.category_id AND q.price > p.price) < 3
-- top three per group, lateral
SELECT c.id, p.id, p.price FROM categories c, LATERAL (SELECT id, price FROM products p WHERE p.category_id=c.id ORDER BY price DESC, id LIMIT 3) p
-- top three comments of each post by lateral
SELECT p.id, c.id FROM posts p, LATERAL (SELECT id FROM comments c WHERE c.post_id=p.id ORDER BY created_at DESC, id DESC LIMIT 3) c WHERE p.author_id < 100
-- dense rank of salaries
SELECT * FROM (SELECT department_id, name, salary, DENSE_RANK() OVER (PARTITION BY department_id ORDER BY salary DESC) d FROM employees) x WHERE d <= 2
-- second highest
SELECT MAX(salary) FROM employees WHERE salary < (SELECT MAX(salary) FROM employees)
-- nth highest per department
SELECT DISTINCT department_id, NTH_VALUE(salary, 2) OVER (PARTITION BY department_id ORDER BY salary DESC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) s FROM employees
-- above the average of its group
SELECT COUNT(*) FROM employees e WHERE salary > (SELECT AVG(salary) FROM employees x WHERE x.department_id=e.department_id)
-- above the average of its group by join
SELECT COUNT(*) FROM employees e JOIN (SELECT department_id, AVG(salary) s FROM employees GROUP BY department_id) a USING (department_id) WHERE e.salary > a.s
-- share of the total by window
SELECT id, total / SUM(total) OVER (PARTITION BY shop_id) FROM orders WHERE shop_id > 30
-- gaps in ids
SELECT a.id + 1 FROM payments a LEFT JOIN payments b ON b.id = a.id + 1 WHERE b.id IS NULL AND a.id < 20000
-- gaps by lag
SELECT * FROM (SELECT sensor_id, at, LAG(at) OVER (PARTITION BY sensor_id ORDER BY at) before_it FROM readings) x WHERE TIMESTAMPDIFF(MINUTE, before_it, at) > 45
-- gaps by lead over ids
SELECT id, nxt FROM (SELECT id, LEAD(id) OVER (ORDER BY id) nxt FROM payments) x WHERE nxt > id + 1
-- islands of days
SELECT employee_id, MIN(day), MAX(day), COUNT(*) n FROM (SELECT employee_id, day, DATE_SUB(day, INTERVAL ROW_NUMBER() OVER (PARTITION BY employee_id ORDER BY day) DAY) g FROM attendance) x GROUP BY employee_id, g HAVING n >= 20
-- islands of one employee
SELECT MIN(day), MAX(day), COUNT(*) n FROM (SELECT day, DATE_SUB(day, INTERVAL ROW_NUMBER() OVER (ORDER BY day) DAY) g FROM attendance WHERE employee_id=77) x GROUP BY g
-- days missing
SELECT c.day FROM calendar c LEFT JOIN attendance a ON a.day=c.day AND a.employee_id=55 WHERE a.day IS NULL AND c.day < '2022-09-01'
-- sessions by lag and sum
SELECT customer_id, COUNT(*) FROM (SELECT customer_id, SUM(fresh) OVER (PARTITION BY customer_id ORDER BY at, id) s FROM (SELECT id, customer_id, at, CASE WHEN TIMESTAMPDIFF(MINUTE, LAG(at) OVER (PARTITION BY customer_id ORDER BY at, id), at) < 30 THEN 0 ELSE 1 END fresh FROM events WHERE customer_id IS NOT NULL) a) b GROUP BY customer_id HAVING COUNT(*) > 100
-- first order of each customer and its month
SELECT DATE_FORMAT(f, '%Y-%m') m, COUNT(*) FROM (SELECT customer_id, MIN(placed_at) f FROM orders GROUP BY customer_id) x GROUP BY m
-- cohort
SELECT DATE_FORMAT(f.at,'%Y-%m') cohort, TIMESTAMPDIFF(MONTH, f.at, o.placed_at) m, COUNT(DISTINCT o.customer_id) FROM orders o JOIN (SELECT customer_id, MIN(placed_at) at FROM orders GROUP BY customer_id) f USING (customer_id) WHERE f.at >= '2025-01-01' GROUP BY 1, 2
-- duplicates
SELECT first_name, last_name, birthday, COUNT(*) n FROM customers WHERE birthday IS NOT NULL GROUP BY first_name, last_name, birthday HAVING n > 1
-- duplicates by self join
SELECT a.id, b.id FROM customers a JOIN customers b ON a.last_name=b.last_name AND a.first_name=b.first_name AND a.birthday=b.birthday AND a.id < b.id WHERE a.country='hu'
