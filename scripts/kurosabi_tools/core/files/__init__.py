"""Files written whole, folders with one user at a time, files told apart by their SHA-256."""
