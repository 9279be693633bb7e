"""The worker's filters of both machines decide about every system call as intended, and as the kernel runs them."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest

from groundwire_readers.sandbox import seccomp
from groundwire_readers.sandbox.system_calls import ARCHITECTURES
from tests.support.aws.kernel.bpf import Filter, InvalidFilterError, SystemCall, assembled
from tests.support.aws.kernel.call_numbers import of_headers, recorded
from tests.support.aws.kernel.lambda_kernel import under_lambda_kernel
from tests.support.aws.kernel.launcher import filter_program as launcher_program
from tests.support.aws.kernel.oracle import ALLOWED
from tests.support.engines.missing import Absent, answer

ROOT: Final = Path(__file__).parents[2]
MACHINES: Final = sorted(ARCHITECTURES)
PID: Final = 4_321
ALLOW: Final = 0x7FFF0000
REFUSE: Final = 0x00050000 | errno.EPERM
ABSENT: Final = 0x00050000 | errno.ENOSYS
KILL: Final = 0x80000000
NUMBERS: Final = range(1_024)
REFUSED: Final = frozenset(
    {
        *("socket", "connect", "bind", "listen", "sendmsg", "sendmmsg", "fork", "vfork", "execve", "execveat"),
        *("tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal", "pidfd_open", "pidfd_getfd"),
        *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "move_pages"),
        *("migrate_pages", "kcmp", "setpriority", "sched_setparam", "sched_setscheduler", "sched_setaffinity"),
        *("sched_setattr", "ioprio_set", "add_key", "request_key", "keyctl", "unshare", "setns", "perf_event_open"),
        *("bpf", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "chmod", "fchmod"),
        *("fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utime", "utimes", "utimensat"),
        *(
            "futimesat",
            "setxattr",
            "lsetxattr",
            "fsetxattr",
            "setxattrat",
            "removexattr",
            "lremovexattr",
            "fremovexattr",
        ),
        *("removexattrat", "file_setattr", "chroot", "pivot_root", "mount", "umount2", "swapon", "swapoff"),
        *("quotactl", "quotactl_fd", "open_tree", "open_tree_attr", "move_mount", "fsopen", "fsconfig", "fsmount"),
        *("fspick", "mount_setattr", "acct", "reboot", "vhangup", "sethostname", "setdomainname", "syslog"),
        *("settimeofday", "clock_settime", "adjtimex", "clock_adjtime", "init_module", "finit_module", "delete_module"),
        *("kexec_load", "kexec_file_load", "iopl", "ioperm", "inotify_init", "inotify_init1", "inotify_add_watch"),
        *("fanotify_init", "fanotify_mark", "name_to_handle_at", "open_by_handle_at", "shmget", "shmat", "shmctl"),
        *("shmdt", "semget", "semop", "semtimedop", "semctl", "msgget", "msgsnd", "msgrcv", "msgctl", "mq_open"),
        *("mq_unlink", "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr"),
    }
)
"""Calls that no document needs: other processes, the network, files' attributes, and more of the kernel."""
LOW: Final = 0xFFFFFFFF
BY_ARGUMENT: Final[dict[str, list[tuple[tuple[int | str, ...], bool]]]] = {
    "kill": [(("own", 9), True), ((0, 9), False), ((-1, 9), False), ((1, 0), False)],
    "tgkill": [(("own", 1, 6), True), ((1, 1, 6), False)],
    "prlimit64": [((0, 7), True), ((1, 7), False), (("own", 7), False)],
    "clone": [((0x10000,), True), ((0x3D0F00,), True), ((17,), False), ((0,), False)],
    "socketpair": [
        ((1, 1), True),
        ((1, 1 | 0x80000), True),
        ((1, 2), False),
        ((1, 2 | 0x80000), False),
        ((1, 5), False),
    ],
    "prctl": [((1, 9), False), ((38, 1), True), ((15, 0), True)],
    "fcntl": [
        ((0, 3), True),
        ((0, 8), False),
        ((0, 10), False),
        ((0, 15), False),
        ((0, 1_024), False),
        ((0, 1_026), False),
    ],
    "ioctl": [((0, 0x5401), True), ((0, 0x5421), True), ((0, 0x5412), False), ((0, 0x541C), False), ((0, 0), False)],
}
"""Calls that one argument decides, with what it allows; "own" is the id of the process itself."""


def decide(machine: str, number: int, *arguments: int | str) -> int:
    program = Filter(seccomp.filter_program(ARCHITECTURES[machine], PID))
    given = [PID if one == "own" else int(one) for one in arguments]
    return program.decide(SystemCall(number, ARCHITECTURES[machine].audit_arch, given))


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_are_those_of_the_kernels_headers(machine: str) -> None:
    defined = of_headers(machine)
    if defined is None:
        answer(Absent("the kernel's headers (linux-libc-dev) are not installed."))
    common = defined.keys() & recorded(machine).keys()
    assert len(common) > 250
    assert {name: defined[name] for name in common} == {name: recorded(machine)[name] for name in common}


@pytest.mark.parametrize("machine", MACHINES)
def test_every_number_without_a_rule_of_arguments_is_decided_as_intended(machine: str) -> None:
    names = {number: name for name, number in recorded(machine).items()}
    program = Filter(seccomp.filter_program(ARCHITECTURES[machine], PID))
    decided = {number: program.decide(SystemCall(number, ARCHITECTURES[machine].audit_arch)) for number in NUMBERS}
    by_argument = {recorded(machine)[name] for name in BY_ARGUMENT}
    intended = {
        number: REFUSE if names.get(number) in REFUSED else ABSENT if names.get(number) == "clone3" else ALLOW
        for number in NUMBERS
    }
    assert {number: decided[number] for number in NUMBERS if number not in by_argument} == {
        number: intended[number] for number in NUMBERS if number not in by_argument
    }


def test_every_refused_name_is_a_call_of_one_machine() -> None:
    assert recorded("x86_64").keys() | recorded("aarch64").keys() >= REFUSED | BY_ARGUMENT.keys()


@pytest.mark.parametrize(("machine", "name"), list(product(MACHINES, BY_ARGUMENT)))
def test_an_argument_decides_by_its_lower_half(machine: str, name: str) -> None:
    number = recorded(machine)[name]
    for arguments, is_allowed in BY_ARGUMENT[name]:
        assert decide(machine, number, *arguments) == (ALLOW if is_allowed else REFUSE), arguments
        wide = [one if isinstance(one, str) else (one & LOW) | 0xABCD << 32 for one in arguments]
        assert decide(machine, number, *wide) == (ALLOW if is_allowed else REFUSE), wide


@pytest.mark.parametrize("machine", MACHINES)
def test_a_call_of_another_machine_ends_the_process(machine: str) -> None:
    program = Filter(seccomp.filter_program(ARCHITECTURES[machine], PID))
    for foreign in (
        0x40000003,
        0x40000028,
        *(each.audit_arch for name, each in ARCHITECTURES.items() if name != machine),
    ):
        assert program.decide(SystemCall(0, foreign)) == KILL


def test_no_number_of_the_x32_abi_passes() -> None:
    assert {decide("x86_64", number | 0x40000000) for number in NUMBERS} == {REFUSE}


UNFILTERED: Final = {"x86_64": (335, 336), "aarch64": ()}
"""uretprobe and uprobe: newer kernels let no filter see them, and end any process that calls them by itself."""


def cases(machine: str) -> Iterator[tuple[int, list[int | str]]]:
    x32 = [number | 0x40000000 for number in NUMBERS] if ARCHITECTURES[machine].has_x32 else []
    yield from ((number, []) for number in (*NUMBERS, *x32) if number not in UNFILTERED[machine])
    for name, rows in BY_ARGUMENT.items():
        for arguments, _ in rows:
            yield recorded(machine)[name], list(arguments)
            yield recorded(machine)[name], [one if isinstance(one, str) else one | 1 << 40 for one in arguments]


def test_the_kernel_decides_about_every_call_as_the_interpreter() -> None:
    machine = seccomp.architecture()
    if machine is None:
        answer(Absent("this machine has no filter."))
    try:
        under_lambda_kernel()
    except Absent as absent:
        answer(absent)
    name = next(name for name, each in ARCHITECTURES.items() if each is machine)
    requested = list(cases(name))
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.aws.kernel.oracle"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'layers' / 'groundwire'}"},
        input=json.dumps(requested),
        capture_output=True,
        text=True,
        check=True,
    )
    reported: Any = json.loads(done.stdout)
    program = Filter(bytes.fromhex(reported["program"]))
    errors = {ALLOW: ALLOWED, REFUSE: errno.EPERM, ABSENT: errno.ENOSYS}
    expected = [
        errors[
            program.decide(
                SystemCall(number, machine.audit_arch, [reported["pid"] if a == "own" else int(a) for a in given])
            )
        ]
        for number, given in requested
    ]
    assert reported["errors"] == expected
    assert set(expected) == set(errors.values())


LAUNCHER: Final = Filter(launcher_program())


@pytest.mark.parametrize(("machine", "x32"), [("x86_64", 0), ("x86_64", 0x40000000), ("aarch64", 0)])
def test_the_launcher_refuses_filters_and_has_no_landlock(machine: str, x32: int) -> None:
    numbers, arch = recorded(machine), ARCHITECTURES[machine].audit_arch
    refused = {(numbers["seccomp"], 0): REFUSE, (numbers["prctl"], 22): REFUSE}
    absent = {(number, 0): ABSENT for number in (444, 445, 446)}
    calls = [*product(NUMBERS, (0,)), *product([numbers["prctl"]], range(80))]
    for number, first in calls:
        expected = (refused | absent).get((number, first), ALLOW)
        if number == numbers["seccomp"]:
            expected = REFUSE
        assert LAUNCHER.decide(SystemCall(number | x32, arch, [first])) == expected, (number, first)


@pytest.mark.parametrize(
    "lines",
    [
        [(0x06, 0, 0, 0), (0x20, 0, 0, 0)],
        [(0x15, 1, 0, 0), (0x06, 0, 0, 0)],
        [(0x20, 0, 0, 64), (0x06, 0, 0, 0)],
        [(0x00, 0, 0, 0)],
    ],
    ids=["no return", "jump beyond the end", "load beyond the data", "unknown instruction"],
)
def test_the_interpreter_takes_no_program_that_the_kernel_refuses(lines: list[tuple[int, int, int, int]]) -> None:
    with pytest.raises(InvalidFilterError):
        Filter(assembled(lines))
