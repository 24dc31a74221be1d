-- update by key
UPDATE customers SET last_login='2025-11-01' WHERE id=777
-- update by a unique key
UPDATE customers SET credit=credit+1 WHERE email='anna.1@example.com'
-- update by an index
UPDATE orders SET total=total+1 WHERE customer_id=1
-- update of a range
UPDATE orders SET note='late' WHERE placed_at BETWEEN '2024-01-01' AND '2024-01-15'
-- update of a keyed column
UPDATE orders SET status='sent' WHERE status='paid' AND placed_at < '2023-01-01'
-- update with order and limit
UPDATE jobs SET state='running', locked_by='me' WHERE queue='mail' AND state='ready' ORDER BY priority, run_at LIMIT 10
-- update with a join
UPDATE orders o JOIN customers c ON c.id=o.customer_id SET o.note='blocked' WHERE c.status='blocked' AND o.status='new'
-- update with a join of a staging table
UPDATE products p JOIN staging s ON s.sku=p.sku SET p.price=s.price, p.stock=s.stock WHERE s.price IS NOT NULL
-- update with an aggregate
UPDATE customers c JOIN (SELECT customer_id, SUM(total) s FROM orders WHERE status='void' GROUP BY customer_id) x ON x.customer_id=c.id SET c.credit=x.s WHERE c.country='de'
-- update with a scalar subquery
UPDATE customers c SET credit=(SELECT SUM(total) FROM orders o WHERE o.customer_id=c.id) WHERE c.vip=1
-- update with in
UPDATE orders SET note='x' WHERE id IN (SELECT order_id FROM payments WHERE state='refunded')
-- update with in of nested derived
UPDATE orders SET note='x' WHERE id IN (SELECT id FROM (SELECT id FROM orders WHERE status='void' ORDER BY id LIMIT 100) t)
-- update with exists
UPDATE orders o SET note='paid twice' WHERE EXISTS (SELECT 1 FROM payments p WHERE p.order_id=o.id AND p.state='failed') AND o.status='new'
-- update with not exists
UPDATE orders o SET note='unpaid' WHERE o.status='new' AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.order_id=o.id)
-- update with a left join
UPDATE orders o LEFT JOIN payments p ON p.order_id=o.id SET o.note='none' WHERE p.id IS NULL AND o.status='done'
-- update with case
UPDATE products SET price=CASE WHEN stock=0 THEN price*0.9 WHEN stock>400 THEN price*0.8 ELSE price END WHERE category_id < 20
-- update by or
UPDATE customers SET vip=1 WHERE referrer_id=1 OR email='ben.2@example.org'
-- update of many
UPDATE comments SET approved=1 WHERE approved=0
-- update json
UPDATE customers SET settings=JSON_SET(settings,'$.lang','it') WHERE country='mt' AND settings IS NOT NULL
-- update that changes nothing
UPDATE orders SET currency=currency WHERE shop_id=1
-- delete by key
DELETE FROM orders WHERE id=500
-- delete of a range
DELETE FROM events WHERE at < '2022-02-01'
-- delete with limit
DELETE FROM events WHERE kind='view' ORDER BY at LIMIT 1000
-- delete with in
DELETE FROM order_items WHERE order_id IN (SELECT id FROM orders WHERE status='void')
-- delete with not in
DELETE FROM archive WHERE customer_id NOT IN (SELECT id FROM customers WHERE status='active')
-- delete with a join
DELETE o FROM orders o JOIN customers c ON c.id=o.customer_id WHERE c.status='deleted' AND o.status='new'
-- delete of orphans
DELETE p FROM payments p LEFT JOIN orders o ON o.id=p.order_id WHERE o.id IS NULL
-- delete of duplicates
DELETE a FROM likes a JOIN likes b ON a.post_id=b.post_id AND a.customer_id > b.customer_id WHERE a.post_id > 49000
-- delete of two tables
DELETE o, i FROM orders o JOIN order_items i ON i.order_id=o.id WHERE o.status='new' AND o.shop_id > 10
-- delete with exists
DELETE FROM archive WHERE EXISTS (SELECT 1 FROM orders o WHERE o.id=archive.id AND o.status='done')
-- delete all but the newest
DELETE FROM comments WHERE post_id=1 AND id NOT IN (SELECT id FROM (SELECT id FROM comments WHERE post_id=1 ORDER BY created_at DESC LIMIT 10) x)
-- insert select
INSERT INTO archive SELECT id+1000000, customer_id, total, placed_at FROM orders WHERE placed_at < '2022-06-01'
-- insert select with join
INSERT INTO archive SELECT o.id+1000000, c.id, o.total, o.placed_at FROM orders o JOIN customers c ON c.id=o.customer_id WHERE c.country='se'
-- insert select, not yet there
INSERT INTO archive SELECT o.id, o.customer_id, o.total, o.placed_at FROM orders o LEFT JOIN archive a ON a.id=o.id WHERE a.id IS NULL AND o.status='void'
-- insert ignore
INSERT IGNORE INTO likes SELECT customer_id, 17, '2025-01-01' FROM likes WHERE post_id=18
-- insert on duplicate key
INSERT INTO staging SELECT sku, price, stock FROM products WHERE category_id < 200 ON DUPLICATE KEY UPDATE price=VALUES(price), stock=staging.stock+VALUES(stock)
-- insert of an aggregate
INSERT INTO archive SELECT customer_id+2000000, customer_id, SUM(total), MAX(placed_at) FROM orders GROUP BY customer_id
-- replace select
REPLACE INTO staging SELECT sku, price, stock FROM products WHERE id BETWEEN 14000 AND 16000
-- insert of numbers
INSERT INTO archive SELECT n+3000000, n, 1, '2025-01-01' FROM numbers
-- upsert of one row
INSERT INTO staging VALUES ('SKU-015001', 3, 4) ON DUPLICATE KEY UPDATE price=VALUES(price)
-- next jobs, skip locked : rollback ordered
SELECT id FROM jobs WHERE queue='mail' AND state='ready' ORDER BY priority, run_at, id LIMIT 10 FOR UPDATE SKIP LOCKED
-- next jobs of all queues : rollback ordered
SELECT id FROM jobs WHERE state='ready' AND run_at <= '2025-01-01' ORDER BY run_at, id LIMIT 10 FOR UPDATE SKIP LOCKED
-- lock of a row : rollback
SELECT * FROM customers WHERE id=99 FOR UPDATE
-- lock of the many : rollback
SELECT COUNT(*) FROM (SELECT id FROM orders WHERE status='done' FOR UPDATE) x
-- lock of a join : rollback
SELECT o.id FROM orders o JOIN order_items i ON i.order_id=o.id WHERE o.status='new' FOR UPDATE
-- lock of a full join : rollback
SELECT COUNT(*) FROM (SELECT o.id FROM orders o JOIN payments p ON p.order_id=o.id FOR SHARE) x
