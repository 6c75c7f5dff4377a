"""A suite of mate problems out of games, and engines that solve it.

The package stands behind ``scripts/tactics.py``.  Modules use only what stands above them here, and ``kurosabi_match``:

========  =======================================================
suite     problems, and the file they are kept in
proof     mates proven without an engine
solve     engines at the problems
collect   problems out of game records
report    what came of it, as a table and as JSON
cli       the command line
========  =======================================================
"""
