"""Evidence that is about boxes, read for a report: how many there are, and the tightest."""
