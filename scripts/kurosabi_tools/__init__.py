"""Tools for engine authors: ``kurosabi-tools match | train | openings | tune | cluster | check``."""
