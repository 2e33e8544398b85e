"""Plays Algorithm 1 on a certified class, and what it is compared with."""
