"""``python -m pomgcheck``."""

from pomgcheck.cli import main

main()
