"""Tuning of search parameters by SPSA on games of the engine against itself.

The package stands behind ``scripts/tune.py``.  Modules use only what stands above them here, and ``kurosabi_match``:

==========  ==============================================================
parameters  what can be tuned, as the engine lists it
spsa        the method: gains, trials, updates
store       the folder a tuning is kept in; resuming
games       trials as pairs of games
report      tables, the plot, lines for the source
runner      the tuning itself
cli         the command line
==========  ==============================================================
"""
