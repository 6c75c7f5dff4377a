#!/usr/bin/env python3
"""Cases in which engines and clients have misunderstood each other; ``protocol.py --help`` tells how."""

import sys

from kurosabi_tools.protocol.cli import main

if __name__ == "__main__":
    sys.exit(main())
