#!/usr/bin/env python3
"""Trains networks from scratch: ``kurosabi-tools train``."""

import sys

from kurosabi_tools.__main__ import main

if __name__ == "__main__":
    sys.exit(main(["train", *sys.argv[1:]]))
