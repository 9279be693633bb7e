"""Confinement of a worker: limits of memory and time, and no access to files but its own libraries."""

import os
import sys
import sysconfig
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from groundwire_readers.sandbox import landlock, seccomp
from groundwire_readers.sandbox.prctl import die_with_parent

_OPEN_FILES: Final = 64
_STATUS_BYTES: Final = 8192
_SYSTEM_LIBRARIES: Final = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")


def confine(memory_mb: int, parent_pid: int, readable_folders: Sequence[Path], *, allow_unconfined: bool) -> None:
    """Confine the calling process; call it before any thread and any document.

    Args:
        memory_mb: of address space.
        parent_pid: id of the process that it must not outlive.
        readable_folders: folders that it may read besides its libraries.
        allow_unconfined: go on where the kernel refuses Landlock rules or the filter of system calls. The limits of
            memory, files and processor time are set all the same.

    Raises:
        OSError: a limit could not be set, the parent has ended, or the kernel refuses what is not allowed to miss.
    """
    if sys.platform == "win32":
        return
    import resource

    _lower_limit(resource.RLIMIT_CORE, 0)
    # A limit of 0 refuses every write to a file, one that is open already included.
    _lower_limit(resource.RLIMIT_FSIZE, 0)
    _lower_limit(resource.RLIMIT_NOFILE, _OPEN_FILES)
    if sys.platform == "linux":
        _lower_limit(resource.RLIMIT_AS, memory_mb * 1_048_576)
        die_with_parent(parent_pid)
    # Lambda refuses nested filters (EPERM), and its kernels of version 5.10 have no Landlock.
    with suppress(*((OSError,) if allow_unconfined else ())):
        if landlock.abi_version():
            landlock.allow_reading_only([*_libraries(), *readable_folders])
    with suppress(*((OSError,) if allow_unconfined else ())):
        machine = seccomp.architecture()
        if machine is not None:
            seccomp.install_filter(machine)


def _libraries() -> list[Path]:
    """Return the folders of code that a parser may still have to load."""
    packages = [find_spec(name) for name in ("groundwire_readers", "pypdfium2_raw", "xberg", "yaml")]
    origins = [Path(spec.origin) for spec in packages if spec is not None and spec.origin is not None]
    standard = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")]
    return [*(origin.parent for origin in origins), *standard, *map(Path, _SYSTEM_LIBRARIES)]


def limit_cpu_seconds(seconds: int) -> None:
    """Limit the process to this much further processor time, after which the system ends it."""
    if sys.platform == "win32":
        return
    import resource

    usage = resource.getrusage(resource.RUSAGE_SELF)
    # RLIMIT_CPU counts whole seconds since the process started.
    spent = int(usage.ru_utime + usage.ru_stime) + 1
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = spent + seconds if hard == resource.RLIM_INFINITY else min(spent + seconds, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def peak_memory_reader() -> Callable[[], int]:
    """Return a function that reads the process's peak memory in MB; 0 where the system does not report it.

    Call it before the confinement, after which no file can be opened. On Linux `getrusage` is unusable:
    its peak begins with the parent's.
    """
    if sys.platform == "win32":
        return lambda: 0
    if sys.platform != "linux":
        return _peak_by_usage
    status = os.open("/proc/self/status", os.O_RDONLY | os.O_CLOEXEC)

    def peak_mb() -> int:
        return int(os.pread(status, _STATUS_BYTES, 0).partition(b"VmHWM:")[2].split()[0]) // 1024

    return peak_mb


def _peak_by_usage() -> int:
    import resource

    per_mb = 1_048_576 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // per_mb


def _lower_limit(resource_limit: int, limit: int) -> None:
    import resource

    _, hard = resource.getrlimit(resource_limit)
    allowed = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource_limit, (allowed, allowed))
