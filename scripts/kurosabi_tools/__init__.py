"""The tools behind ``scripts/*.py``: a folder each, and what they share in ``core``.

Every tool has the same inside: ``cli`` reads the command line, ``core`` does the work, ``report`` shows or writes what
came of it; what else it needs stands beside them.  ``core`` knows no tool.  A tool may use ``match``, which plays games
for others too, and no other tool.
"""
