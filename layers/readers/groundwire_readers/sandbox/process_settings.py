"""Settings of a process that any other process of its user may change: limits, priority, processors, scheduling."""

import os
import sys
from typing import Final

ProcessSettings = tuple[object, ...]
"""Settings in a fixed order; two are compared as a whole."""
_NO_SETTINGS: Final[ProcessSettings] = ()


def process_settings(pid: int) -> ProcessSettings:
    """Return the settings of a process; empty where the system is not Linux.

    A worker that the kernel does not confine may change them by prlimit(2), setpriority(2), sched_setaffinity(2) and
    sched_setscheduler(2). All workers after it would inherit them.

    Raises:
        ProcessLookupError: there is no such process.
    """
    if sys.platform != "linux":
        return _NO_SETTINGS
    import resource

    numbers = sorted({getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")})
    return (
        *(resource.prlimit(pid, number) for number in numbers),
        os.getpriority(os.PRIO_PROCESS, pid),
        frozenset(os.sched_getaffinity(pid)),
        os.sched_getscheduler(pid),
        os.sched_getparam(pid).sched_priority,
    )
