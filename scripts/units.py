#!/usr/bin/env python3
"""Self-play games in work units, here or on a Dask cluster; ``units.py --help`` tells how."""

import sys

from kurosabi_tools.units.cli import main

if __name__ == "__main__":
    sys.exit(main())
