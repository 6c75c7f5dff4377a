#!/usr/bin/env python3
"""Tunes parameters of search by SPSA; ``tune.py --help`` tells how."""

import sys

from kurosabi_tune.cli import main

if __name__ == "__main__":
    sys.exit(main())
