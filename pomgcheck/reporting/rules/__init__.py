"""Reads evidence that is about boxes for a report: how many there are, and the tightest."""
