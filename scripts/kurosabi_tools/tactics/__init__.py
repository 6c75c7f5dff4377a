"""A suite of mate problems out of games, and engines that solve it: ``scripts/tactics.py``.

=======  =======================================================
suite    problems, and the file they are kept in
proof    mates proven without an engine
core     engines at the problems
collect  problems out of game records
report   what came of it, as a table and as JSON
cli      the command line
=======  =======================================================
"""
