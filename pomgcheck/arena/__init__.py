"""Plays episodes: world theta*, reaction rule R, seeded generator.  Knows nothing of learners."""
