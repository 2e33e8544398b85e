"""Runs ``python -m pomgcheck``, and the command ``pomgcheck``."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; where it is interrupted while it still loads, no traceback is shown."""
    try:
        from pomgcheck.cli import main as command_line
    except KeyboardInterrupt:
        sys.exit(130)
    except ModuleNotFoundError as missing:  # installed without its dependencies, which the kernel does not need
        sys.exit(by_the_kernel(sys.argv[1:], missing.name))
    command_line()


def by_the_kernel(arguments: list[str], missing: str | None) -> int:
    """Verify one certificate where only the standard library is there, against the canonical document of its model if
    that is given; return the exit code."""
    if arguments[:1] == ["verify"] and not any(word.startswith("-") and word != "--model" for word in arguments[1:]):
        from pomgcheck.kernel.check import main as kernel

        return kernel([word for word in arguments[1:] if word != "--model"])
    required = "it for every command but verify CERT [--model MODEL.json]"
    print(f"pomgcheck: found no package {missing}, required {required}; pip install pomgcheck", file=sys.stderr)
    return 2


if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]  # the current directory: as for the command, nothing there is imported
    main()
