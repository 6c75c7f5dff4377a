#!/usr/bin/env python3
"""Losses on time on a loaded machine; ``clockstress.py --help`` tells how."""

import sys

from kurosabi_tools.clockstress.cli import main

if __name__ == "__main__":
    sys.exit(main())
