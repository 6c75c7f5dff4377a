"""Positions and game records analysed on many machines: ``scripts/analyze_cluster.py``.

The input is cut into chunks: some lines, or a whole record.  Each is a ``kurosabi analyze --json`` of its own on a
worker, and since limits are deterministic its results are the same wherever, and however often, that runs.

======  ==============================================================
chunks  what is to be analysed, in pieces
work    analysing a piece, on whatever machine; what workers call
output  results on disk, and going on with them
report  how far it is
core    all pieces, in order
cli     the command line
======  ==============================================================
"""
