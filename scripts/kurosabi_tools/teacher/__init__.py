"""A residual network that learns from self-play games and scores positions for a small network (distillation).

- ``records``: files of ``kurosabi datagen planes``, and of 40-byte positions.
- ``core``: what needs no PyTorch: the network's size, the budget of a training, learning rates, policy classes.
- ``planes``: what the network sees of a record.
- ``model``: the network, and the file that keeps it.
- ``training``: from records to a network.
- ``labelling``: from records and positions to positions with the network's scores.
- ``report``, ``cli``.

Only ``planes``, ``model``, ``training`` and ``labelling`` import PyTorch, which is no requirement of the other tools.
"""
