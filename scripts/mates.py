#!/usr/bin/env python3
"""Kurosabi's mates against cshogi and other solvers; ``mates.py --help`` tells how."""

import sys

from kurosabi_tools.mates.cli import main

if __name__ == "__main__":
    sys.exit(main())
