#!/usr/bin/env python3
"""What clients need of a USI engine, case by case; ``protocol.py --help`` tells how."""

import sys

from kurosabi_protocol.cli import main

if __name__ == "__main__":
    sys.exit(main())
