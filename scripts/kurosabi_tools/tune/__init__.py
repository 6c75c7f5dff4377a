"""Tuning of search parameters by SPSA on games of the engine against itself: ``scripts/tune.py``.

==========  ==============================================================
parameters  what can be tuned, as the engine lists it
spsa        the method: gains, trials, updates
store       the folder a tuning is kept in; resuming
games       trials as pairs of games
report      tables, the plot, lines for the source
core        the tuning itself
cli         the command line
==========  ==============================================================
"""
