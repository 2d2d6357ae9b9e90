"""
The store in PostgreSQL, which several processes may share.

`connecting` says in a sentence why a database cannot be used, `schema` brings it forward, `leases` says whose a table
is, `keeping` is the store, and `tidying` lets old tables go. Nothing outside loads this before it is asked for: it
needs the package asyncpg.
"""
