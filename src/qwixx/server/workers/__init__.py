"""Work outside the event loop: thread pools, worker processes and their jobs. No tables and no sockets."""
