"""``python -m pomgcheck.kernel CERT [MODEL]``."""

import sys

from .check import main

sys.exit(main(sys.argv[1:]))
