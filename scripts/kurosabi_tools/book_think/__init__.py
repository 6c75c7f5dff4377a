"""The positions of an opening book searched on many machines: ``scripts/book_think.py``.

A part is some positions that one worker searches, with ``kurosabi book think --only``, into a book of its own.  What
it holds follows from the positions and the settings; it is kept under a name that tells both, until a whole batch of
parts is merged into the book.

======  ==============================================================
parts   positions in parts, and the command that searches one
work    searching a part, on whatever machine; what workers call
core    batch after batch: positions listed, searched, merged
report  how far it is
cli     the command line
======  ==============================================================
"""
