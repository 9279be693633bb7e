"""Description of the machine on which a figure was measured."""

import os
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_CPUINFO: Final = Path("/proc/cpuinfo")


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine as this process sees it.

    Attributes:
        cores: those that this process may use.
        load: processes that ran or waited, mean of the minute before; a bench alone brings it to about 1.
    """

    cores: int
    processor: str
    system: str
    python: str
    load: float

    def __str__(self) -> str:
        return (
            f"{self.processor}, {self.cores} cores, {self.system}, Python {self.python}; "
            f"load before the run {self.load:.2f}"
        )


def this_machine() -> Machine:
    """Facts of now."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    system = f"{platform.system()} {platform.machine()}"
    return Machine(cores, _processor(), system, platform.python_version(), os.getloadavg()[0])


def _processor() -> str:
    if _CPUINFO.is_file():
        for line in _CPUINFO.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() in {"model name", "Model"}:
                return value.strip()
    return platform.processor() or platform.machine()
