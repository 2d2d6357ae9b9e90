"""Programs that `make golden` and `make pictures` run; they write files that are checked in."""
