"""Record files of games: KIF and CSA."""
