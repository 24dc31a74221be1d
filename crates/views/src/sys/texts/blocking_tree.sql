-- Evenkeel's own: blocked_sessions as a tree. Who waits for nobody and is waited for stands at depth 0; blocks
-- says for how many sessions it stands in the way, directly or not.
WITH RECURSIVE w AS (
  SELECT DISTINCT waiting_pid, blocking_pid, wait_kind, object, waiting_since FROM sys.x$blocked_sessions
), tree AS (
  SELECT DISTINCT
    blocking_pid AS root, blocking_pid AS pid, 0 AS depth, CAST(blocking_pid AS CHAR(1000)) AS path,
    CAST(NULL AS CHAR(32)) AS wait_kind, CAST(NULL AS CHAR(300)) AS object, CAST(NULL AS DATETIME) AS waiting_since
  FROM w
  WHERE blocking_pid NOT IN (SELECT waiting_pid FROM w)
  UNION ALL
  SELECT t.root, w.waiting_pid, t.depth + 1, CONCAT(t.path, ',', w.waiting_pid), w.wait_kind, w.object,
    w.waiting_since
  FROM tree t JOIN w ON w.blocking_pid = t.pid
  WHERE t.depth < 20 AND FIND_IN_SET(w.waiting_pid, t.path) = 0
)
SELECT
  t.depth AS depth,
  CONCAT(REPEAT('  ', t.depth), t.pid) AS session,
  t.pid AS pid,
  CONCAT(p.processlist_user, '@', p.processlist_host) AS account,
  IF(p.processlist_command = 'Sleep', 'Sleep', p.processlist_state) AS state,
  sys.format_statement(p.processlist_info) AS query,
  t.wait_kind AS wait_kind,
  t.object AS object,
  t.waiting_since AS waiting_since,
  (SELECT COUNT(DISTINCT b.pid) FROM tree b WHERE FIND_IN_SET(t.pid, b.path) > 0 AND b.pid <> t.pid) AS blocks
FROM tree t
JOIN performance_schema.threads p ON p.processlist_id = t.pid
ORDER BY t.root, t.path
