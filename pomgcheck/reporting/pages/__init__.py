"""Puts together what a report on each kind of record holds, as blocks."""
