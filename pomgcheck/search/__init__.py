"""Untrusted search: finds evidence and witnesses; only the kernel decides whether they hold."""
