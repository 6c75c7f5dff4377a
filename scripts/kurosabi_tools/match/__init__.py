"""Matches between USI shogi engines: ``scripts/match.py``.

========  ====================================================================
settings  everything that defines a match; saved beside its games
schedule  who meets whom, from which opening
tally     counts over finished games
records   JKF files
store     the folder a match is kept in; resuming
report    progress, tables, PNG and HTML
core      the match itself
cli       the command line
========  ====================================================================
"""
