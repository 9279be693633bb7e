"""System calls that a worker may not make, by the call numbers of each machine.

Sources: asm/unistd_64.h (x86-64), asm-generic/unistd.h (aarch64).
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Architecture:
    """Call numbers of a machine.

    Attributes:
        audit_arch: AUDIT_ARCH_…, in every call's record.
        refused_calls: calls for other processes, the network, the attributes of files or more of the kernel.
        kill, tgkill, prlimit, clone, socketpair, prctl, fcntl, ioctl: refused or allowed by one of their arguments.
    """

    audit_arch: int
    refused_calls: tuple[int, ...]
    kill: int
    tgkill: int
    prlimit: int
    clone: int
    socketpair: int
    prctl: int
    fcntl: int
    ioctl: int
    has_x32: bool


CLONE3: Final = 435
"""A call whose flags are in memory, where no filter sees them."""
_REFUSED_ON_ALL: Final = (
    *(424, 425, 426, 427, 434, 438, 440),  # pidfd_send_signal, io_uring_setup/enter/register, pidfd_…, process_madvise
    448,  # process_mrelease
    *(428, 429, 430, 431, 432, 433, 442, 467),  # open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, …_attr
    443,  # quotactl_fd
    *(452, 463, 466, 469),  # fchmodat2, setxattrat, removexattrat, file_setattr
)

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
            *(256, 312),  # migrate_pages, kcmp
            *(90, 91, 268, 92, 93, 94, 260),  # chmod, fchmod, fchmodat, chown, fchown, lchown, fchownat
            *(132, 235, 280, 261),  # utime, utimes, utimensat, futimesat
            *(188, 189, 190, 197, 198, 199),  # setxattr, lsetxattr, fsetxattr, and likewise removexattr
            *(161, 155, 165, 166, 167, 168, 179),  # chroot, pivot_root, mount, umount2, swapon, swapoff, quotactl
            *(163, 169, 153, 170, 171, 103),  # acct, reboot, vhangup, sethostname, setdomainname, syslog
            *(164, 227, 159, 305),  # settimeofday, clock_settime, adjtimex, clock_adjtime
            *(175, 313, 176, 246, 320, 172, 173),  # init_, finit_, delete_module, kexec_(file_)load, iopl, ioperm
            *(253, 294, 254, 300, 301),  # inotify_init(1), inotify_add_watch, fanotify_init, fanotify_mark
            *(303, 304),  # name_to_handle_at, open_by_handle_at
            *(29, 30, 31, 67),  # shmget, shmat, shmctl, shmdt
            *(64, 65, 220, 66, 68, 69, 70, 71),  # semget, semop, semtimedop, semctl, msgget, msgsnd, msgrcv, msgctl
            *(240, 241, 242, 243, 244, 245),  # mq_open, mq_unlink, mq_timedsend/receive, mq_notify, mq_getsetattr
            *_REFUSED_ON_ALL,
        ),
        *(62, 234, 302, 56, 53, 157, 72, 16),
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
            *(238, 272),
            *(52, 53, 55, 54),  # there is no chmod, chown or lchown,
            88,  # and utimensat alone
            *(5, 6, 7, 14, 15, 16),
            *(51, 41, 40, 39, 224, 225, 60),
            *(89, 142, 58, 161, 162, 116),
            *(170, 112, 171, 266),
            *(105, 273, 106, 104, 294),
            *(26, 27, 262, 263),
            *(264, 265),
            *(194, 196, 195, 197),
            *(190, 193, 192, 191, 186, 189, 188, 187),
            *(180, 181, 182, 183, 184, 185),
            *_REFUSED_ON_ALL,
        ),
        *(129, 131, 261, 220, 199, 167, 25, 29),
        has_x32=False,
    ),
}
