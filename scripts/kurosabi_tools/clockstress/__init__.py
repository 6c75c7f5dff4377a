"""Losses on time on a loaded machine: ``scripts/clockstress.py``.

=============  ==============================================================
stalls         times in which the machine itself ran nothing
stall_program  what notes them, a process for each core
core           matches without margin, and what the clocks saw in them
report         the table
cli            the command line
=============  ==============================================================
"""
