"""Cases in which engines and clients have misunderstood each other: ``scripts/protocol.py``.

======  ==============================================================
core    what a case is, and how it is played
cases   the cases
report  what came of them, and what was said
cli     the command line
======  ==============================================================
"""
