#!/usr/bin/env python3
"""A suite of mate problems out of games, and engines that solve it; ``tactics.py --help`` tells how."""

import sys

from kurosabi_tools.tactics.cli import main

if __name__ == "__main__":
    sys.exit(main())
