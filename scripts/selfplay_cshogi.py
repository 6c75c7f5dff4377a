#!/usr/bin/env python3
"""An engine against itself through cshogi's client; ``selfplay_cshogi.py --help`` tells how."""

import sys

from kurosabi_tools.selfplay_cshogi.cli import main

if __name__ == "__main__":
    sys.exit(main())
