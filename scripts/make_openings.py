#!/usr/bin/env python3
"""Balanced openings, made by the engine itself; ``make_openings.py --help`` tells how."""

import sys

from kurosabi_tools.make_openings.cli import main

if __name__ == "__main__":
    sys.exit(main())
