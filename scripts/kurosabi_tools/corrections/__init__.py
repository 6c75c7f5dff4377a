"""What an evaluation is off by, as a sum of counts that few games suffice to tell.

A network has half a million weights, and some thousand games of long searches cannot teach them.  They can tell what a
few hundred counts (of pieces by where they stand, near which king, in hand) are worth beside what the network says.

- ``positions``: positions of games, each with its static evaluation, its search's score and the result.
- ``sides``, ``terms``: the counts.
- ``lstd``: their values by least-squares TD(lambda), with priors, and what they are worth in games left out.
- ``core``: the fit, the file of corrections, and evaluations with them, which a network is then trained on.
- ``tempo``: what the side to move gains, taken out of the scores of searches.
- ``report``, ``cli``.
"""
