"""Mates that Kurosabi finds, and that it says there are none, held against others.

- ``positions``: late positions of random games, and those of files.
- ``solvers``: ``kurosabi mate``, and other engines that answer ``go mate``; each with the processor time it used.
- ``core``: what is wrong with an answer: every mate is replayed on cshogi's board, and cshogi's exhaustive search for
  mates of few plies has the last word on lengths.
- ``report``, ``cli``.
"""
