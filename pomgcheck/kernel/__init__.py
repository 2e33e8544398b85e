"""The trusted kernel: standard library only, runs alone, never searches (``python -I -m pomgcheck.kernel CERT``)."""
