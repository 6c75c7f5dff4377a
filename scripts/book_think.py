#!/usr/bin/env python3
"""The positions of a book searched on a Dask cluster or here; ``book_think.py --help`` tells how."""

import sys

from kurosabi_tools.book_think.cli import main

if __name__ == "__main__":
    sys.exit(main())
