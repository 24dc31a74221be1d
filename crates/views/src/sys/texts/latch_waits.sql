-- Evenkeel's own: what waits for latches cost since the start, by class: time that was spun and time that threads
-- slept.
SELECT
  m.class AS latch_class,
  SUM(IF(m.what = 'spin_waits', m.count, 0)) AS spins,
  SUM(IF(m.what = 'spin_successes', m.count, 0)) AS spins_that_got_it,
  as_time(SUM(IF(m.what = 'spin_ns', m.count, 0)) * 1000) AS spin_time,
  SUM(IF(m.what = 'os_waits', m.count, 0)) AS sleeps,
  as_time(SUM(IF(m.what = 'os_wait_ns', m.count, 0)) * 1000) AS sleep_time
FROM (
  SELECT REGEXP_REPLACE(name, '^latch_(.*?)_(spin_waits|spin_successes|spin_ns|os_waits|os_wait_ns)$', '$1') AS class,
    REGEXP_REPLACE(name, '^latch_(.*?)_(spin_waits|spin_successes|spin_ns|os_waits|os_wait_ns)$', '$2') AS what,
      count AS count
  FROM information_schema.INNODB_METRICS
  WHERE name REGEXP '^latch_(.*?)_(spin_waits|spin_successes|spin_ns|os_waits|os_wait_ns)$'
) m
GROUP BY m.class
ORDER BY SUM(IF(m.what IN ('spin_ns', 'os_wait_ns'), m.count, 0)) DESC, m.class
