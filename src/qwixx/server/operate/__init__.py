"""For operators: the admin API, metrics, logs, the census, and the sync between servers of a cluster."""
