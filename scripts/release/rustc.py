#!/usr/bin/env python3
"""Calls the compiler for Cargo (``RUSTC_WRAPPER``), with names of crates that do not depend on the target.

Cargo has the target in the hash by which a crate's symbols are told from those of other crates.  Without it a profile
taken on one system fits the programs for the others too.
"""

import os
import sys


def main() -> None:
    crate = f"{os.environ.get('CARGO_PKG_NAME', '')}-{os.environ.get('CARGO_PKG_VERSION', '')}"
    command = [f"metadata={crate}" if word.startswith("metadata=") else word for word in sys.argv[1:]]
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
