"""Run as a process of its own, one for each core: writes down when the core stood still.

Arguments: the core, the file to add to, and the shortest stall worth a line, in seconds.  A process of real-time
priority that asks to be woken after a moment is kept waiting by nothing but the machine: no other program can.
"""

import os
import sys
import time

_NAP = 0.002
_PRIORITY = 50


def watch(core: int, path: str, shortest: float) -> None:
    """Say ``ready``, then add a line for each stall: its start (Unix seconds), its length in seconds, the core."""
    os.sched_setaffinity(0, {core})
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(_PRIORITY))
    with open(path, "a", buffering=1) as file:
        print("ready", flush=True)
        while True:
            asleep = time.monotonic()
            time.sleep(_NAP)
            lost = time.monotonic() - asleep - _NAP
            if lost >= shortest:
                file.write(f"{time.time() - lost:.3f} {lost:.3f} {core}\n")


if __name__ == "__main__":
    watch(int(sys.argv[1]), sys.argv[2], float(sys.argv[3]))
