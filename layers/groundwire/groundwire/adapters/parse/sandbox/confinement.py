"""Confinement of a worker: limits of memory and time, and no access to files but its own libraries."""

import os
import sys
import sysconfig
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from groundwire.adapters.parse.sandbox import landlock, seccomp
from groundwire.adapters.parse.sandbox.prctl import die_with_parent

_OPEN_FILES: Final = 64
_STATUS_BYTES: Final = 8192
_SYSTEM_LIBRARIES: Final = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")


def confine(memory_mb: int, parent_pid: int, readable_folders: Sequence[Path]) -> None:
    """Confine the calling process as far as `confinement_report` states; call it before any thread and any document.

    Args:
        memory_mb: of address space.
        parent_pid: id of the process that it must not outlive.
        readable_folders: folders that it may read besides its libraries.

    Raises:
        OSError: a limit could not be set, or the parent has ended.
    """
    if sys.platform == "win32":
        return
    import resource

    _lower_limit(resource.RLIMIT_CORE, 0)
    _lower_limit(resource.RLIMIT_FSIZE, 0)
    _lower_limit(resource.RLIMIT_NOFILE, _OPEN_FILES)
    if sys.platform == "linux":
        _lower_limit(resource.RLIMIT_AS, memory_mb * 1_048_576)
        die_with_parent(parent_pid)
    if landlock.abi_version():
        landlock.allow_reading_only([*_libraries(), *readable_folders])
    machine = seccomp.architecture()
    if machine is not None:
        seccomp.install_filter(machine)


def _libraries() -> list[Path]:
    """Return the folders of code that a parser may still have to load."""
    packages = [find_spec(name) for name in ("groundwire", "pypdfium2_raw", "xberg", "yaml")]
    origins = [Path(spec.origin) for spec in packages if spec is not None and spec.origin is not None]
    standard = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")]
    return [*(origin.parent for origin in origins), *standard, *map(Path, _SYSTEM_LIBRARIES)]


def limit_cpu_seconds(seconds: int) -> None:
    """Limit the process to this much further processor time, after which the system ends it."""
    if sys.platform == "win32":
        return
    import resource

    usage = resource.getrusage(resource.RUSAGE_SELF)
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


def confinement_report() -> list[str]:
    """Return one sentence per restriction, each with its enforcement on this system, for the operator."""
    posix, linux, filtered = sys.platform != "win32", sys.platform == "linux", seccomp.architecture() is not None
    return [
        _report_line(filtered, "The document parser cannot open sockets or reach other processes (seccomp)"),
        _report_line(
            bool(landlock.abi_version()), "The document parser can open no files but its own libraries (Landlock)"
        ),
        _report_line(linux, "The document parser's memory is limited"),
        _report_line(posix, "The document parser's processor time per document is limited"),
        "The document parser's time per document is limited: enforced.",
    ]


def _report_line(is_enforced: bool, restriction: str) -> str:  # noqa: FBT001 - a fact and its description
    return f"{restriction}: {'enforced' if is_enforced else f'NOT enforced on {sys.platform}'}."
