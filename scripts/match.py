#!/usr/bin/env python3
"""Plays matches between USI engines: ``kurosabi-tools match``."""

import sys

from kurosabi_tools.__main__ import main

if __name__ == "__main__":
    sys.exit(main(["match", *sys.argv[1:]]))
