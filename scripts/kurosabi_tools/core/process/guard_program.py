"""Run as a process of its own: kills engines whose runner died without doing so.

Standard input carries ``+<process group>`` when an engine starts and ``-<process group>`` when it has ended.  The end
of the input means that the runner is gone, whatever the way; what is still registered is then killed.
"""

import contextlib
import os
import signal
import sys


def watch() -> None:
    """Follow standard input to its end, then kill what is left."""
    groups = set()
    for line in sys.stdin:
        group = int(line[1:])
        if line[0] == "+":
            groups.add(group)
        else:
            groups.discard(group)
    for group in groups:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    watch()
