#!/usr/bin/env python3
"""Mate problems out of games, for engines to solve; ``tactics.py --help`` tells how."""

import sys

from kurosabi_tactics.cli import main

if __name__ == "__main__":
    sys.exit(main())
