"""What the results of games say of strength: Elo, normalised Elo, LOS, SPRT, ratings."""
