"""The trusted kernel: standard library only, runs alone, never searches (``python -m pomgcheck.kernel CERT``)."""
