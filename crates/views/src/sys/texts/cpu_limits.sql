-- Evenkeel's own: how much CPU the server may use, and whether it is held back: by the kernel (throttled), by
-- itself so that the kernel need not (paced).
SELECT
  MAX(IF(variable_name = 'Effective_cpus_milli', variable_value, NULL)) / 1000 AS effective_cpus,
  NULLIF(MAX(IF(variable_name = 'Quota_cpus_milli', variable_value, NULL)), 0) / 1000 AS quota_cpus,
  CAST(MAX(IF(variable_name = 'Cgroup_throttled_periods', variable_value, NULL)) AS UNSIGNED) AS throttled_periods,
  MAX(IF(variable_name = 'Cgroup_throttled_usec', variable_value, NULL)) / 1000000 AS throttled_secs,
  CAST(MAX(IF(variable_name = 'Sched_paced', variable_value, NULL)) AS UNSIGNED) AS paced,
  MAX(IF(variable_name = 'Sched_paced_ns', variable_value, NULL)) / 1000000000 AS paced_secs,
  CAST(MAX(IF(variable_name = 'Sched_run_tokens', variable_value, NULL)) AS UNSIGNED) AS run_tokens,
  CAST(MAX(IF(variable_name = 'Sched_run_tokens_free', variable_value, NULL)) AS UNSIGNED) AS run_tokens_free
FROM performance_schema.global_status
WHERE variable_name IN ('Effective_cpus_milli', 'Quota_cpus_milli', 'Cgroup_throttled_periods',
  'Cgroup_throttled_usec',
  'Sched_paced', 'Sched_paced_ns', 'Sched_run_tokens', 'Sched_run_tokens_free')
