#!/usr/bin/env python3
"""Networks compared by how well they foresee another engine's searches; ``networks.py --help`` tells how."""

import sys

from kurosabi_tools.networks.cli import main

if __name__ == "__main__":
    sys.exit(main())
