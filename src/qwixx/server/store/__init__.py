"""Storage of tables: the interface, batched writes, backups, and one folder for each database. No running tables."""
