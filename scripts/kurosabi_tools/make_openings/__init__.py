"""Balanced openings, made by the engine itself: ``scripts/make_openings.py``."""
