"""The game: sides, positions, openings, declarations, the ways to end.  Rules come from cshogi."""
