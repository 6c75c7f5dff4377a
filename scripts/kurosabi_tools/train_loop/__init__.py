"""Networks from nothing, generation after generation: ``scripts/train_loop.py``."""
