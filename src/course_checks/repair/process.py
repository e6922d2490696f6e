"""A search in a fork of this process, with one thread, limits of time and memory, and nothing to see."""

import contextlib
import json
import os
import select
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator

import torch

from course_checks.repair.search import SECONDS, Repair, Search, alarmed, too_long

_MEMORY = 2 << 30  # what a search may add


def in_a_process_of_its_own(search: Search) -> Iterator[Repair]:
    """Run a search in a fork, which is ended after its time, and yield what it found until then."""
    deadline = time.monotonic() + 4 * SECONDS
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that this process has threads: the fork uses none of them
        child = os.fork()
    if child == 0:
        _search_and_end(search, writing)
    os.close(writing)
    rest = b""
    try:
        while (left := deadline - time.monotonic()) > 0:
            if not select.select([reading], [], [], left)[0]:
                break
            more = os.read(reading, 1 << 16)
            if not more:
                break
            *complete, rest = (rest + more).split(b"\n")
            for line in complete:
                yield Repair(**json.loads(line))
    finally:
        os.close(reading)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _search_and_end(search: Search, writing: int) -> None:
    """Search in a fork: with one thread, for those of the parent are not here, and silent."""
    try:
        threading.settrace(None)
        sys.setprofile(None)
        torch.set_num_threads(1)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nowhere, number)
        sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (until the end)
        warnings.simplefilter("ignore")
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, too_long)
        search.limited = alarmed
        _limit_memory()
        for each in search.found():
            os.write(writing, json.dumps(vars(each)).encode() + b"\n")
    except BaseException:  # whatever it was, this process ends here
        pass
    finally:
        os._exit(0)


def _limit_memory() -> None:
    import resource  # not on Windows

    with open("/proc/self/statm", encoding="ascii") as file:
        now = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (now + _MEMORY, now + _MEMORY))
