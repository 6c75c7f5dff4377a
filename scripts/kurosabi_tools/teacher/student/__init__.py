"""The small network that learns from a teacher: Kurosabi's own kind, trained on a GPU."""
