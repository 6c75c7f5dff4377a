#!/usr/bin/env python3
"""Networks from nothing: generate games, train, gate by a match, repeat; ``train_loop.py --help`` tells how."""

import sys

from kurosabi_tools.train_loop.cli import main

if __name__ == "__main__":
    sys.exit(main())
