"""A system-call filter: the student's process cannot start processes, signal others, trace, or leave memory behind.

Because no process can be started, one limit on memory and one on time hold for the whole submission, also where the
grader runs as root (to whom the kernel's limit on the number of processes does not apply).
"""

import ctypes
import errno
import os
import platform
import struct

_LOAD, _EQUAL, _AND, _AT_LEAST, _RETURN = 0x20, 0x15, 0x54, 0x35, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENT = 0, 4, 16
_CLONE_THREAD = 0x00010000
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _MODE_FILTER = 38, 22, 2

# One column per architecture: the number of the call on x86_64 and on aarch64 (None where it does not exist).
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_DENIED = {
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "shmget": (29, 194),
    "shmctl": (31, 195),
    "shmat": (30, 196),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "tkill": (200, 130),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
}
_ONLY_OWN = {  # allowed with the own process id, or 0 for it, as first argument
    "kill": (62, 129),
    "tgkill": (234, 131),
    "prlimit64": (302, 261),
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
}
_CLONE, _CLONE3 = (56, 220), (435, 435)


def is_supported() -> bool:
    """Say whether the filter is written for this machine."""
    return platform.machine() in _ARCHITECTURES


def program(process: int) -> bytes:
    """Assemble the filter for a process id, as the kernel reads it."""
    column, architecture = _ARCHITECTURES[platform.machine()]
    refuse = [(_RETURN, 0, 0, _ERRNO | errno.EPERM)]
    code = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL)]
    code += [(_LOAD, 0, 0, _NUMBER), (_AT_LEAST, 0, 1, 0x40000000), *refuse]  # the x32 numbering
    for numbers in _DENIED.values():
        if numbers[column] is not None:
            code += [(_EQUAL, 0, 1, numbers[column]), *refuse]
    # clone3 hides its flags from a filter; "not there" makes the C library use clone.
    code += [(_EQUAL, 0, 1, _CLONE3[column]), (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)]
    thread = [(_LOAD, 0, 0, _ARGUMENT), (_AND, 0, 0, _CLONE_THREAD), (_EQUAL, 0, 1, 0), *refuse]
    code += [(_EQUAL, 0, len(thread) + 1, _CLONE[column]), *thread, (_RETURN, 0, 0, _ALLOW)]
    own = [(_LOAD, 0, 0, _ARGUMENT), (_EQUAL, 1, 0, process), (_EQUAL, 0, 1, 0), (_RETURN, 0, 0, _ALLOW), *refuse]
    for name, numbers in _ONLY_OWN.items():
        # kill(0) would reach the whole process group.
        block = own if name != "kill" else [own[0], (_EQUAL, 0, 1, process), own[3], *refuse]
        code += [(_EQUAL, 0, len(block), numbers[column]), *block]
    code.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("=HBBI", *each) for each in code)


def install() -> None:
    """Put the filter on this process and its threads, for good.

    Raises:
        OSError: if the kernel refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    filters = program(os.getpid())
    buffer = ctypes.create_string_buffer(filters)
    header = struct.pack("@HP", len(filters) // 8, ctypes.addressof(buffer))
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, header, 0, 0):
        raise OSError(ctypes.get_errno(), "the kernel refused the system-call filter")
