"""What several of the slow checks need."""
