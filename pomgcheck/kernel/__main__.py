"""``python -I -m pomgcheck.kernel CERT [MODEL]``.

Without ``-I`` Python looks for modules in the current directory first, which may be where a certificate was downloaded
to: nothing there is imported from here on.
"""

import sys

if not sys.flags.safe_path:
    del sys.path[0]

from .check import main

sys.exit(main(sys.argv[1:]))
