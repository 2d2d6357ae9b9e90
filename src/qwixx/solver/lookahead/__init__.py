"""One turn ahead: all its successors, and the average over all rolls."""
