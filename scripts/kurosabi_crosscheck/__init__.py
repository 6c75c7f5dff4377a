"""Checks Kurosabi's rules against other implementations; ``../crosscheck.py`` is the command."""
