"""``python -m pomgcheck``, and the command ``pomgcheck``."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; who interrupts it while it is still loading is not shown where."""
    try:
        from pomgcheck.cli import main as command_line
    except KeyboardInterrupt:
        sys.exit(130)
    command_line()


if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the current directory: as for the command, nothing there is imported
    main()
