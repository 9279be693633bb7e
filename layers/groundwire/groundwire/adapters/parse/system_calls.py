"""The system calls that are kept from a worker, by the numbers of each machine.

Sources: asm/unistd_64.h (x86-64), asm-generic/unistd.h (aarch64).
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Architecture:
    """Numbers of a machine.

    Attributes:
        audit: AUDIT_ARCH_…, in every call's record.
        refused: all that reaches other processes, the network or more of the kernel.
        kill, tgkill, prlimit, clone, socketpair, prctl: refused or allowed by one of their arguments.
    """

    audit: int
    refused: tuple[int, ...]
    kill: int
    tgkill: int
    prlimit: int
    clone: int
    socketpair: int
    prctl: int
    has_x32: bool


CLONE3: Final = 435
"""Its flags lie in memory, where no filter sees them."""
# pidfd_send_signal, io_uring_setup/enter/register, pidfd_open, pidfd_getfd, process_madvise
_SAME_EVERYWHERE: Final = (424, 425, 426, 427, 434, 438, 440)

ARCHITECTURES: Final = {
    "x86_64": Architecture(
        0xC000003E,
        (
            *(41, 42, 46, 49, 50, 307),  # socket, connect, sendmsg, bind, listen, sendmmsg
            *(57, 58, 59, 322),  # fork, vfork, execve, execveat
            *(200, 129, 297),  # tkill, rt_sigqueueinfo, rt_tgsigqueueinfo
            *(101, 310, 311, 279),  # ptrace, process_vm_readv, process_vm_writev, move_pages
            *(
                141,
                142,
                144,
                203,
                251,
                314,
            ),  # setpriority, sched_setparam/_setscheduler/_setaffinity, ioprio_set, …attr
            *(248, 249, 250),  # add_key, request_key, keyctl
            *(272, 308, 298, 321, 323),  # unshare, setns, perf_event_open, bpf, userfaultfd
            *_SAME_EVERYWHERE,
        ),
        *(62, 234, 302, 56, 53, 157),
        has_x32=True,
    ),
    "aarch64": Architecture(
        0xC00000B7,
        (
            *(198, 203, 211, 200, 201, 269),
            *(221, 281),  # there is no fork or vfork
            *(130, 138, 240),
            *(117, 270, 271, 239),
            *(140, 118, 119, 122, 30, 274),
            *(217, 218, 219),
            *(97, 268, 241, 280, 282),
            *_SAME_EVERYWHERE,
        ),
        *(129, 131, 261, 220, 199, 167),
        has_x32=False,
    ),
}
