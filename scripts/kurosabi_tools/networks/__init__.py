"""Networks compared without games: how well their static evaluations foresee searches and results.

- ``labels``: positions out of matches with the scores that an engine's searches gave them, and files of these.
- ``kept``: searches that are on disk as soon as they are done.
- ``core``: static evaluations of the same positions, and how far they are from scores and results.
- ``report``, ``cli``.
"""
