#!/usr/bin/env python3
"""Whether the last lines of searches are exact, whole and in order; ``lastlines.py --help`` tells how."""

import sys

from kurosabi_tools.lastlines.cli import main

if __name__ == "__main__":
    sys.exit(main())
