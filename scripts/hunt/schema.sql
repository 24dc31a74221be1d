-- The tables of the plan hunt: a shop, a blog, sensors, a queue, with the indexes applications have. Rows: rows.py.
CREATE TABLE countries (code CHAR(2) PRIMARY KEY, name VARCHAR(60) NOT NULL, region VARCHAR(20) NOT NULL);
CREATE TABLE customers (
  id BIGINT UNSIGNED PRIMARY KEY AUTO_INCREMENT, email VARCHAR(120) NOT NULL, first_name VARCHAR(40) NOT NULL, last_name VARCHAR(40) NOT NULL,
  company VARCHAR(80), country CHAR(2) NOT NULL, city VARCHAR(40), birthday DATE, status ENUM('active','pending','blocked','deleted') NOT NULL,
  vip TINYINT(1) NOT NULL DEFAULT 0, credit DECIMAL(10,2), referrer_id BIGINT UNSIGNED, created_at DATETIME NOT NULL, last_login DATETIME,
  deleted_at DATETIME, settings JSON,
  UNIQUE KEY email (email), KEY name (last_name, first_name), KEY country_city (country, city), KEY created_at (created_at),
  KEY status_created (status, created_at), KEY referrer_id (referrer_id), KEY deleted_at (deleted_at), KEY birthday (birthday));
CREATE TABLE categories (id INT PRIMARY KEY, parent_id INT, name VARCHAR(60) NOT NULL, depth INT NOT NULL, KEY parent_id (parent_id));
CREATE TABLE products (
  id INT PRIMARY KEY AUTO_INCREMENT, sku VARCHAR(20) NOT NULL, name VARCHAR(120) NOT NULL, category_id INT NOT NULL, price DECIMAL(10,2) NOT NULL,
  stock INT NOT NULL, active TINYINT(1) NOT NULL, weight DOUBLE, attributes JSON, description TEXT, created_at DATETIME NOT NULL,
  UNIQUE KEY sku (sku), KEY category_price (category_id, price), KEY price (price), KEY name (name), FULLTEXT KEY words (name, description));
CREATE TABLE orders (
  id BIGINT UNSIGNED PRIMARY KEY AUTO_INCREMENT, customer_id BIGINT UNSIGNED NOT NULL, shop_id INT NOT NULL, status VARCHAR(12) NOT NULL, placed_at DATETIME NOT NULL,
  shipped_at DATETIME, total DECIMAL(12,2) NOT NULL, currency CHAR(3) NOT NULL, coupon VARCHAR(20), employee_id INT, note TEXT,
  KEY customer_placed (customer_id, placed_at), KEY status_placed (status, placed_at), KEY placed_at (placed_at), KEY shop_status (shop_id, status),
  KEY coupon (coupon), KEY total (total), KEY shipped_at (shipped_at));
CREATE TABLE order_items (
  order_id BIGINT UNSIGNED NOT NULL, line INT NOT NULL, product_id INT NOT NULL, qty INT NOT NULL, price DECIMAL(10,2) NOT NULL, discount DECIMAL(5,2),
  PRIMARY KEY (order_id, line), KEY product_id (product_id));
CREATE TABLE payments (
  id BIGINT UNSIGNED PRIMARY KEY AUTO_INCREMENT, order_id BIGINT UNSIGNED NOT NULL, method VARCHAR(16) NOT NULL, amount DECIMAL(12,2) NOT NULL, state VARCHAR(10) NOT NULL,
  paid_at DATETIME, KEY order_id (order_id), KEY state_paid (state, paid_at));
CREATE TABLE departments (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL, budget DECIMAL(12,2));
CREATE TABLE employees (
  id INT PRIMARY KEY, manager_id INT, department_id INT NOT NULL, name VARCHAR(60) NOT NULL, salary DECIMAL(10,2) NOT NULL, hired DATE NOT NULL, left_on DATE,
  KEY manager_id (manager_id), KEY department_salary (department_id, salary));
CREATE TABLE events (
  id BIGINT UNSIGNED PRIMARY KEY AUTO_INCREMENT, customer_id BIGINT UNSIGNED, session_id CHAR(32) CHARACTER SET ascii NOT NULL, kind VARCHAR(20) NOT NULL, at DATETIME(3) NOT NULL,
  duration INT, payload JSON, city VARCHAR(40) GENERATED ALWAYS AS (payload->>'$.city') VIRTUAL,
  KEY customer_at (customer_id, at), KEY session_id (session_id), KEY kind_at (kind, at), KEY at (at), KEY city (city));
CREATE TABLE readings (sensor_id INT NOT NULL, at DATETIME NOT NULL, value DOUBLE, quality TINYINT NOT NULL, PRIMARY KEY (sensor_id, at), KEY at (at));
CREATE TABLE attendance (employee_id INT NOT NULL, day DATE NOT NULL, hours DECIMAL(4,2), PRIMARY KEY (employee_id, day), KEY day (day));
CREATE TABLE posts (
  id INT PRIMARY KEY AUTO_INCREMENT, author_id BIGINT UNSIGNED NOT NULL, slug VARCHAR(80) NOT NULL, title VARCHAR(120) NOT NULL, body TEXT NOT NULL, state VARCHAR(10) NOT NULL,
  published_at DATETIME, views INT NOT NULL, UNIQUE KEY slug (slug), KEY author_published (author_id, published_at), KEY state_published (state, published_at),
  KEY views (views), FULLTEXT KEY words (title, body));
CREATE TABLE comments (
  id INT PRIMARY KEY AUTO_INCREMENT, post_id INT NOT NULL, parent_id INT, author_id BIGINT UNSIGNED, body VARCHAR(200) NOT NULL, approved TINYINT(1) NOT NULL, created_at DATETIME NOT NULL,
  KEY post_created (post_id, created_at), KEY parent_id (parent_id), KEY author_id (author_id), KEY created_at (created_at));
CREATE TABLE tags (id INT PRIMARY KEY, name VARCHAR(30) NOT NULL, UNIQUE KEY name (name));
CREATE TABLE post_tags (post_id INT NOT NULL, tag_id INT NOT NULL, PRIMARY KEY (post_id, tag_id), KEY tag_id (tag_id));
CREATE TABLE likes (customer_id BIGINT UNSIGNED NOT NULL, post_id INT NOT NULL, at DATETIME NOT NULL, PRIMARY KEY (customer_id, post_id), KEY post_id (post_id));
CREATE TABLE product_attrs (product_id INT NOT NULL, name VARCHAR(20) NOT NULL, value VARCHAR(40) NOT NULL, PRIMARY KEY (product_id, name), KEY name_value (name, value));
CREATE TABLE jobs (
  id BIGINT UNSIGNED PRIMARY KEY AUTO_INCREMENT, queue VARCHAR(20) NOT NULL, state VARCHAR(10) NOT NULL, priority INT NOT NULL, run_at DATETIME NOT NULL, attempts INT NOT NULL,
  locked_by VARCHAR(40), payload JSON, KEY queue_state (queue, state, priority, run_at), KEY state_run (state, run_at), KEY locked_by (locked_by));
CREATE TABLE numbers (n INT PRIMARY KEY);
CREATE TABLE calendar (day DATE PRIMARY KEY, weekday INT NOT NULL, holiday TINYINT(1) NOT NULL);
CREATE TABLE archive (id BIGINT UNSIGNED PRIMARY KEY, customer_id BIGINT UNSIGNED NOT NULL, total DECIMAL(12,2) NOT NULL, placed_at DATETIME NOT NULL, KEY customer_id (customer_id));
CREATE TABLE staging (sku VARCHAR(20) PRIMARY KEY, price DECIMAL(10,2), stock INT);
CREATE VIEW order_sums AS SELECT customer_id, COUNT(*) orders, SUM(total) total, MAX(placed_at) latest FROM orders GROUP BY customer_id;
CREATE VIEW open_orders AS SELECT o.*, c.email, c.country FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.status IN ('new', 'paid');
