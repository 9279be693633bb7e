"""Answers, by the kernel itself, what a worker's filter decides about calls; no call is carried out.

A program of its own. It installs a filter that answers every call with a mark in its last argument by an error number
of its own, and above it the filter of the worker. The kernel runs both and takes the stricter decision; of two errors
it takes that of the newer filter. So a call that the worker's filter allows ends with the mark's error, and any other
with that filter's. It reads calls as JSON, prints the program and the error numbers.
"""

import ctypes
import json
import os
import sys
from typing import Final

from groundwire_readers.sandbox import seccomp
from tests.support.aws.kernel.bpf import assembled
from tests.support.aws.kernel.launcher import install

MARK: Final = 0x5EC0DE
ALLOWED: Final = 1_234
"""Error number of a call that the worker's filter allows; no call has it."""
_LAST_ARGUMENT_AT: Final = 16 + 8 * 5


def _marked_calls_fail() -> bytes:
    lines = [(0x20, 0, 0, _LAST_ARGUMENT_AT), (0x15, 0, 1, MARK), (0x06, 0, 0, 0x00050000 | ALLOWED)]
    return assembled([*lines, (0x06, 0, 0, 0x7FFF0000)])


def _main() -> None:
    calls = json.load(sys.stdin)
    machine = seccomp.architecture()
    assert machine is not None
    system_call = ctypes.CDLL(None, use_errno=True).syscall
    program = seccomp.filter_program(machine, os.getpid())
    install(_marked_calls_fail())
    install(program)
    errors: list[int] = []
    for number, arguments in calls:
        given = [os.getpid() if one == "own" else one for one in arguments]
        padded = [*given, *[0] * (5 - len(given)), MARK]
        result = system_call(ctypes.c_long(number), *(ctypes.c_ulong(one & (2**64 - 1)) for one in padded))
        errors.append(ctypes.get_errno() if result == -1 else 0)
    sys.stdout.write(json.dumps({"pid": os.getpid(), "program": program.hex(), "errors": errors}))
    sys.stdout.flush()
    # The interpreter's own end may need calls that the filter refuses.
    os._exit(0)


if __name__ == "__main__":
    _main()
