"""Whether the last lines of searches are exact, whole and in order: ``scripts/lastlines.py``."""
