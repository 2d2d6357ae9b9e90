"""
The store in PostgreSQL, which several processes may share.

`connection` opens connections and explains errors, `schema` has the migrations, `leases` the owners of tables, `store`
is the store, `cleanup` deletes old tables, `backup_rows` is for backup and restore. It is imported only when it is
used, because it needs the package asyncpg.
"""
