"""Self-play games in work units: what stands behind ``scripts/units.py``.

A unit is a number of games of one seed, played by ``kurosabi datagen play --first-game N --games K`` into a file of its
own.  Its bytes follow from the settings, whoever plays it: a unit may be played twice or on another machine, and a
sample of the units that is played again proves the work honest.

======  ==============================================================
units   which units there are, and the command that plays one
work    playing one, on whatever machine; what the executor calls
report  what came of it, and the manifest of the files
cli     the command line
======  ==============================================================
"""
