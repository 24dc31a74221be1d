-- All memory that is counted.
SELECT as_bytes(SUM(current_number_of_bytes_used)) AS total_allocated
FROM performance_schema.memory_summary_global_by_event_name
