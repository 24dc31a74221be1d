-- by status
SELECT status, COUNT(*), SUM(total), AVG(total) FROM orders GROUP BY status
-- by day
SELECT DATE(placed_at) d, COUNT(*), SUM(total) FROM orders WHERE placed_at >= '2025-01-01' GROUP BY d ORDER BY d
-- by month
SELECT DATE_FORMAT(placed_at,'%Y-%m') m, COUNT(*), SUM(total) FROM orders GROUP BY m ORDER BY m
-- by year and month
SELECT YEAR(placed_at) y, MONTH(placed_at) m, COUNT(*), SUM(total) FROM orders GROUP BY y, m ORDER BY y, m
-- by hour of the day
SELECT HOUR(at) h, COUNT(*) FROM events GROUP BY h ORDER BY h
-- by weekday
SELECT DAYOFWEEK(placed_at) w, COUNT(*), AVG(total) FROM orders GROUP BY w
-- by week
SELECT YEARWEEK(placed_at, 3) w, SUM(total) FROM orders GROUP BY w ORDER BY w
-- by quarter of an hour
SELECT FLOOR(UNIX_TIMESTAMP(at)/900) q, COUNT(*), AVG(value), MIN(value), MAX(value) FROM readings GROUP BY q
-- by sensor
SELECT sensor_id, COUNT(*), AVG(value), STDDEV(value) FROM readings GROUP BY sensor_id
-- by sensor and day
SELECT sensor_id, DATE(at) d, AVG(value) FROM readings WHERE sensor_id <= 100 GROUP BY sensor_id, d
-- top customers : ordered
SELECT customer_id, COUNT(*) n, SUM(total) s FROM orders GROUP BY customer_id ORDER BY s DESC, customer_id LIMIT 10
-- top customers with names : ordered
SELECT c.id, c.email, SUM(o.total) s FROM customers c JOIN orders o ON o.customer_id=c.id GROUP BY c.id ORDER BY s DESC, c.id LIMIT 10
-- top customers of a month : ordered
SELECT c.id, c.email, SUM(o.total) s FROM customers c JOIN orders o ON o.customer_id=c.id WHERE o.placed_at >= '2025-03-01' AND o.placed_at < '2025-04-01' GROUP BY c.id, c.email ORDER BY s DESC, c.id LIMIT 10
-- top products : ordered
SELECT p.id, p.name, SUM(i.qty) q FROM order_items i JOIN products p ON p.id=i.product_id GROUP BY p.id, p.name ORDER BY q DESC, p.id LIMIT 10
-- top products of a category : ordered
SELECT p.id, p.name, SUM(i.qty) q FROM order_items i JOIN products p ON p.id=i.product_id WHERE p.category_id=3 GROUP BY p.id, p.name ORDER BY q DESC, p.id LIMIT 10
-- by country
SELECT c.country, COUNT(*), SUM(o.total) FROM orders o JOIN customers c ON c.id=o.customer_id GROUP BY c.country
-- by country and status
SELECT c.country, o.status, COUNT(*), SUM(o.total) FROM orders o JOIN customers c ON c.id=o.customer_id GROUP BY c.country, o.status
-- by region
SELECT r.region, COUNT(DISTINCT c.id), SUM(o.total) FROM countries r JOIN customers c ON c.country=r.code JOIN orders o ON o.customer_id=c.id GROUP BY r.region
-- by category
SELECT g.name, SUM(i.qty*i.price) FROM categories g JOIN products p ON p.category_id=g.id JOIN order_items i ON i.product_id=p.id GROUP BY g.id, g.name
-- of four tables in a month
SELECT g.id, c.country, SUM(i.qty*i.price) s FROM orders o JOIN customers c ON c.id=o.customer_id JOIN order_items i ON i.order_id=o.id JOIN products p ON p.id=i.product_id JOIN categories g ON g.id=p.category_id WHERE o.placed_at BETWEEN '2025-02-01' AND '2025-02-28' GROUP BY g.id, c.country
-- having count
SELECT customer_id FROM orders GROUP BY customer_id HAVING COUNT(*) > 50
-- having sum over a filter
SELECT customer_id, SUM(total) s FROM orders WHERE status='done' GROUP BY customer_id HAVING s > 20000
-- having distinct
SELECT customer_id, COUNT(DISTINCT shop_id) n FROM orders GROUP BY customer_id HAVING n > 10
-- rollup
SELECT shop_id, status, COUNT(*), SUM(total) FROM orders GROUP BY shop_id, status WITH ROLLUP
-- rollup with names
SELECT IF(GROUPING(c.country),'all',c.country) k, IF(GROUPING(o.status),'all',o.status) s, SUM(o.total) FROM orders o JOIN customers c ON c.id=o.customer_id WHERE o.placed_at >= '2025-01-01' GROUP BY c.country, o.status WITH ROLLUP
-- pivot by status
SELECT shop_id, SUM(IF(status='new',total,0)) n, SUM(IF(status='paid',total,0)) p, SUM(IF(status='done',total,0)) d, COUNT(CASE WHEN status='void' THEN 1 END) v FROM orders GROUP BY shop_id
-- pivot by month
SELECT customer_id, SUM(CASE WHEN MONTH(placed_at)=1 THEN total END) jan, SUM(CASE WHEN MONTH(placed_at)=2 THEN total END) feb, SUM(CASE WHEN MONTH(placed_at)=3 THEN total END) mar FROM orders WHERE placed_at >= '2025-01-01' AND placed_at < '2025-04-01' GROUP BY customer_id
-- pivot of attributes
SELECT product_id, MAX(CASE WHEN name='color' THEN value END) color, MAX(CASE WHEN name='size' THEN value END) size, MAX(CASE WHEN name='brand' THEN value END) brand FROM product_attrs GROUP BY product_id
-- pivot of attributes of a page : ordered
SELECT p.id, MAX(CASE WHEN a.name='color' THEN a.value END) color, MAX(CASE WHEN a.name='size' THEN a.value END) size FROM products p LEFT JOIN product_attrs a ON a.product_id=p.id GROUP BY p.id ORDER BY p.id LIMIT 20
-- group_concat
SELECT order_id, GROUP_CONCAT(product_id ORDER BY line SEPARATOR ',') FROM order_items WHERE order_id BETWEEN 5000 AND 8000 GROUP BY order_id
-- group_concat distinct
SELECT customer_id, GROUP_CONCAT(DISTINCT kind ORDER BY kind) FROM events WHERE customer_id < 3000 GROUP BY customer_id
-- json aggregate
SELECT post_id, JSON_ARRAYAGG(tag_id) FROM post_tags WHERE post_id < 3000 GROUP BY post_id
-- json object aggregate
SELECT product_id, JSON_OBJECTAGG(name, value) FROM product_attrs WHERE product_id < 1000 GROUP BY product_id
-- running total : ordered
SELECT id, total, SUM(total) OVER (ORDER BY id) FROM orders WHERE shop_id=2 ORDER BY id LIMIT 1000
-- running total per customer
SELECT customer_id, id, SUM(total) OVER (PARTITION BY customer_id ORDER BY placed_at, id) FROM orders WHERE customer_id < 500
-- running total of days : ordered
SELECT d, s, SUM(s) OVER (ORDER BY d) FROM (SELECT DATE(placed_at) d, SUM(total) s FROM orders GROUP BY d) x ORDER BY d
-- moving average
SELECT sensor_id, at, AVG(value) OVER (PARTITION BY sensor_id ORDER BY at ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM readings WHERE sensor_id < 100
-- moving average by range
SELECT sensor_id, at, SUM(quality) OVER (PARTITION BY sensor_id ORDER BY at RANGE BETWEEN INTERVAL 2 HOUR PRECEDING AND CURRENT ROW) FROM readings WHERE sensor_id < 50
-- month over month : ordered
SELECT m, s, LAG(s) OVER (ORDER BY m), s - LAG(s) OVER (ORDER BY m) FROM (SELECT DATE_FORMAT(placed_at,'%Y-%m') m, SUM(total) s FROM orders GROUP BY m) x ORDER BY m
-- percent rank
SELECT id, PERCENT_RANK() OVER (ORDER BY price) FROM products WHERE category_id < 50
-- ntile
SELECT q, COUNT(*), MIN(total), MAX(total) FROM (SELECT total, NTILE(10) OVER (ORDER BY total) q FROM orders) x GROUP BY q
-- median by row_number
SELECT AVG(total) FROM (SELECT total, ROW_NUMBER() OVER (ORDER BY total) r, COUNT(*) OVER () n FROM orders) x WHERE r IN (FLOOR((n+1)/2), CEIL((n+1)/2))
-- first_value
SELECT DISTINCT customer_id, FIRST_VALUE(kind) OVER (PARTITION BY customer_id ORDER BY at, id) f FROM events WHERE customer_id < 2000
-- two windows
SELECT id, RANK() OVER (PARTITION BY shop_id ORDER BY total DESC) a, RANK() OVER (PARTITION BY status ORDER BY total DESC) b FROM orders WHERE placed_at >= '2025-06-01'
-- histogram
SELECT FLOOR(total/100)*100 b, COUNT(*) FROM orders GROUP BY b ORDER BY b
-- width by case
SELECT CASE WHEN total<10 THEN 'a' WHEN total<100 THEN 'b' WHEN total<1000 THEN 'c' ELSE 'd' END k, COUNT(*), AVG(total) FROM orders GROUP BY k
-- all days of a month : ordered
SELECT c.day, COUNT(o.id), COALESCE(SUM(o.total),0) FROM calendar c LEFT JOIN orders o ON o.placed_at >= c.day AND o.placed_at < c.day + INTERVAL 1 DAY WHERE c.day BETWEEN '2025-03-01' AND '2025-03-31' GROUP BY c.day ORDER BY c.day
-- all days by date() : ordered
SELECT c.day, COUNT(o.id) FROM calendar c LEFT JOIN orders o ON DATE(o.placed_at)=c.day WHERE c.day BETWEEN '2025-03-01' AND '2025-03-07' GROUP BY c.day ORDER BY c.day
-- retention
SELECT COUNT(DISTINCT a.customer_id) FROM events a JOIN events b ON b.customer_id=a.customer_id AND b.at > a.at AND b.at < a.at + INTERVAL 7 DAY WHERE a.kind='login' AND b.kind='purchase'
-- funnel
SELECT COUNT(DISTINCT CASE WHEN kind='view' THEN session_id END) v, COUNT(DISTINCT CASE WHEN kind='cart' THEN session_id END) c, COUNT(DISTINCT CASE WHEN kind='purchase' THEN session_id END) p FROM events
-- sessions' length
SELECT session_id, COUNT(*), TIMESTAMPDIFF(SECOND, MIN(at), MAX(at)) FROM events GROUP BY session_id HAVING COUNT(*) > 12
-- active customers of each month
SELECT DATE_FORMAT(at,'%Y-%m') m, COUNT(DISTINCT customer_id) FROM events GROUP BY m
-- products bought together : ordered
SELECT b.product_id, COUNT(*) n FROM order_items a JOIN order_items b ON b.order_id=a.order_id AND b.product_id <> a.product_id WHERE a.product_id=5 GROUP BY b.product_id ORDER BY n DESC, b.product_id LIMIT 10
-- pairs of products : ordered
SELECT a.product_id x, b.product_id y, COUNT(*) n FROM order_items a JOIN order_items b ON b.order_id=a.order_id AND a.product_id < b.product_id WHERE a.product_id < 200 AND b.product_id < 200 GROUP BY x, y ORDER BY n DESC, x, y LIMIT 10
-- never sold : ordered
SELECT p.id, p.sku FROM products p LEFT JOIN order_items i ON i.product_id=p.id WHERE i.order_id IS NULL ORDER BY p.id LIMIT 100
-- stock value
SELECT g.depth, SUM(p.stock*p.price) FROM products p JOIN categories g ON g.id=p.category_id GROUP BY g.depth
-- unpaid orders
SELECT o.id, o.total - COALESCE(SUM(p.amount),0) missing FROM orders o LEFT JOIN payments p ON p.order_id=o.id AND p.state='captured' WHERE o.status='done' AND o.placed_at > '2025-08-01' GROUP BY o.id, o.total HAVING missing > 0
-- by method and state
SELECT method, state, COUNT(*), SUM(amount), MIN(paid_at), MAX(paid_at) FROM payments GROUP BY method, state
-- likes of each author : ordered
SELECT p.author_id, COUNT(*) n FROM likes l JOIN posts p ON p.id=l.post_id GROUP BY p.author_id ORDER BY n DESC, p.author_id LIMIT 10
-- tag cloud : ordered
SELECT t.name, COUNT(*) n FROM tags t JOIN post_tags pt ON pt.tag_id=t.id JOIN posts p ON p.id=pt.post_id WHERE p.state='published' GROUP BY t.id, t.name ORDER BY n DESC, t.name LIMIT 30
-- comments of posts, page : ordered
SELECT p.id, p.title, COUNT(c.id) n FROM posts p LEFT JOIN comments c ON c.post_id=p.id AND c.approved=1 GROUP BY p.id, p.title ORDER BY p.id DESC LIMIT 20
-- most commented : ordered
SELECT p.id, COUNT(c.id) n FROM posts p JOIN comments c ON c.post_id=p.id WHERE c.created_at > '2025-01-01' GROUP BY p.id ORDER BY n DESC, p.id LIMIT 20
-- group by a long column : ordered
SELECT note, COUNT(*) n FROM orders WHERE note IS NOT NULL GROUP BY note ORDER BY n DESC, note LIMIT 5
-- group by email's domain
SELECT SUBSTRING_INDEX(email,'@',-1) d, COUNT(*) FROM customers GROUP BY d
-- group by an index prefix
SELECT country, COUNT(*) FROM customers GROUP BY country
-- group by both of an index
SELECT country, city, COUNT(*) FROM customers GROUP BY country, city
-- group by in another order
SELECT city, country, COUNT(*) FROM customers GROUP BY city, country
-- group by, ordered by count : ordered
SELECT last_name, COUNT(*) n FROM customers GROUP BY last_name ORDER BY n DESC, last_name LIMIT 20
-- group by a nullable column
SELECT company, COUNT(*) n FROM customers GROUP BY company HAVING n > 100
-- distinct countries
SELECT DISTINCT country FROM customers
-- distinct statuses
SELECT DISTINCT status FROM orders
-- distinct sessions of a kind
SELECT COUNT(*) FROM (SELECT DISTINCT session_id FROM events WHERE kind='click') x
-- distinct of a join
SELECT COUNT(*) FROM (SELECT DISTINCT c.country, o.shop_id FROM orders o JOIN customers c ON c.id=o.customer_id) x
-- everything of one customer : each
SELECT * FROM customers WHERE id=5
SELECT * FROM orders WHERE customer_id=5 ORDER BY placed_at DESC, id LIMIT 10
SELECT COUNT(*), SUM(total) FROM orders WHERE customer_id=5
SELECT kind, COUNT(*) FROM events WHERE customer_id=5 GROUP BY kind
