"""Self-play games in work units: ``scripts/units.py``.

A unit is a number of games of one seed, played by ``kurosabi datagen play --first-game N --games K`` into a file of its
own.  Its bytes follow from the settings, whoever plays it: a unit may be played twice or on another machine, and a
sample of the units that is played again proves the work honest.

======  ==============================================================
unit    which units there are, and the command that plays one
work    playing one, on whatever machine; what workers call
report  how files differ, and the manifest of the files
core    all units, and a sample of them again
cli     the command line
======  ==============================================================
"""
