#!/usr/bin/env python3
"""What an evaluation is off by, from the results of games with long searches; ``corrections.py --help`` tells how."""

import sys

from kurosabi_tools.corrections.cli import main

if __name__ == "__main__":
    sys.exit(main())
