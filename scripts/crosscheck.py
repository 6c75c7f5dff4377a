#!/usr/bin/env python3
"""Kurosabi's rules against cshogi and python-shogi on random games; ``crosscheck.py --help`` tells how."""

import sys

from kurosabi_tools.crosscheck.cli import main

if __name__ == "__main__":
    sys.exit(main())
