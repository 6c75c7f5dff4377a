#!/usr/bin/env python3
"""A large network that scores positions for a small one to learn from; ``teacher.py --help`` tells how."""

import sys

from kurosabi_tools.teacher.cli import main

if __name__ == "__main__":
    sys.exit(main())
