#!/usr/bin/env python3
"""Matches between USI shogi engines; ``match.py --help`` tells how."""

import sys

from kurosabi_tools.match.cli import main

if __name__ == "__main__":
    sys.exit(main())
