"""What is shown of a match: while it runs, as tables, as a page."""
