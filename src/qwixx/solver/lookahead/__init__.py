"""One turn ahead: everything it can lead to, and its average over all rolls."""
