"""Kurosabi's rules against other implementations: ``scripts/crosscheck.py``.

======  ==============================================================
games   seeded random games in which every rule comes up
engine  what Kurosabi says of a position
core    what the others say, and where they differ
report  what was met, and what was not
cli     the command line
======  ==============================================================
"""
