#!/usr/bin/env python3
"""Positions and game records analysed on a Dask cluster or here; ``analyze_cluster.py --help`` tells how."""

import sys

from kurosabi_tools.analyze_cluster.cli import main

if __name__ == "__main__":
    sys.exit(main())
