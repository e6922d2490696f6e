"""Limits of a process: on memory they count what it takes beside what was loaded before."""

import os
import resource

from course_grader.messages import MIB


def mapped_mib() -> int:
    """Return how much memory this process has mapped: the code of its libraries, and everything it asked for."""
    with open("/proc/self/statm", encoding="utf-8") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE") // MIB


def limit(which: int, value: int) -> None:
    """Lower a limit of this process for good."""
    hard = resource.getrlimit(which)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (value, value))


def limit_added_memory(mib: int) -> None:
    """Let this process take so much more memory than it has now.

    The kernel can limit only the whole: torch alone maps 0.6 GiB in its build for processors, and 3 GiB in the build
    for GPUs, which is what ``pip install torch`` brings on Linux.
    """
    limit(resource.RLIMIT_AS, (mapped_mib() + mib) * MIB)
