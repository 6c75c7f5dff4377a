#!/usr/bin/env python3
"""Tuning of search parameters by SPSA on games of the engine against itself; ``tune.py --help`` tells how."""

import sys

from kurosabi_tools.tune.cli import main

if __name__ == "__main__":
    sys.exit(main())
