"""For operators: the admin API, audit log, metrics, logs, census, the check of all tables, the sync of a cluster."""
