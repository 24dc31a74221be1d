-- What performance_schema could not keep: nothing, if there is no row.
SELECT variable_name AS variable_name, variable_value AS variable_value
FROM performance_schema.global_status
WHERE variable_name LIKE 'perf%lost' AND variable_value > 0
