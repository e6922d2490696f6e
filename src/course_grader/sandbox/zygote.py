"""The first process in the sandbox: torch loaded, and one fork per submission.

It never runs a student's code and cannot be read, traced or signalled by it. After each submission it ends the process
and empties the writable folders, so that nothing is left for the next.
"""

import contextlib
import ctypes
import gc
import importlib
import json
import os
import resource
import signal
import socket
import sys
import traceback

from course_grader.messages import SandboxStart, parse
from course_grader.sandbox import imports, seccomp
from course_grader.sandbox.limits import MIB, limit, limit_added_memory, mapped_mib

_PR_SET_DUMPABLE = 4


def main() -> None:
    """Serve ``start``, ``waited`` and ``end`` on the control socket until it closes.

    Command line: the number of the socket, and a `SandboxStart` as JSON.
    """
    control = socket.socket(fileno=int(sys.argv[1]))
    start = parse(SandboxStart, json.loads(sys.argv[2]))
    rules = start.rules
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    student = importlib.import_module("course_grader.sandbox.student")
    imports.ImportGuard(rules.forbidden, rules.stand_ins).install()
    for name in rules.preload:
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    importlib.import_module("course_grader.sharing.gradients").warm_up()
    gc.collect()
    gc.freeze()
    empty = _empty(start.writable)
    control.send(json.dumps({"ready": True, "mapped_mib": mapped_mib()}).encode())
    child = None
    while True:
        message, descriptors, *_ = socket.recv_fds(control, 2**16, 1)
        if not message:
            return
        operation = json.loads(message)["op"]
        if operation == "start":
            if child is not None:
                _end(child, start.writable, empty)
            child = os.fork()
            if child == 0:
                control.close()
                _become_student(student, descriptors[0], start)
            os.close(descriptors[0])
            control.send(b"{}")
        elif operation == "waited":
            control.send(json.dumps({"seconds": _waited(child)}).encode())
        else:
            control.send(json.dumps(_end(child, start.writable, empty)).encode())
            child = None


def _become_student(student, descriptor: int, start: SandboxStart) -> None:
    try:
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)
        limits = start.rules.limits
        if start.isolated:
            limit(resource.RLIMIT_NPROC, limits.threads)
            seccomp.install()
        limit_added_memory(limits.memory_mib)
        limit(resource.RLIMIT_FSIZE, limits.file_mib * MIB)
        limit(resource.RLIMIT_CPU, limits.cpu_seconds_total)
        limit(resource.RLIMIT_CORE, 0)
        limit(resource.RLIMIT_NOFILE, 256)
        student.run(socket.socket(fileno=descriptor), start.rules, start.isolated)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


def _end(child: int | None, writable: list[str], empty: list[str]) -> dict:
    if child is None:
        return {}
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    return {
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
        "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0,
        "cpu": usage.ru_utime + usage.ru_stime,
        "memory_mib": usage.ru_maxrss // 1024,
        "clean": _empty(writable) == empty,
    }


def _waited(child: int | None) -> float:
    """Return how long a process waited for a processor: the thread of it that waited most."""
    seconds = 0.0
    with contextlib.suppress(OSError):  # it has ended, or the kernel does not count
        for thread in os.listdir(f"/proc/{child}/task"):
            with open(f"/proc/{child}/task/{thread}/schedstat", encoding="utf-8") as file:
                seconds = max(seconds, int(file.read().split()[1]) / 1e9)
    return seconds


def _empty(folders: list[str]) -> list[str]:
    """Remove all that can be removed, and return what is left (the places of further readable folders)."""
    left = []
    for folder in folders:
        device, found = os.lstat(folder).st_dev, []
        for root, names, files in os.walk(folder):  # from above, so that a folder can be opened before it is entered
            for path in [os.path.join(root, name) for name in (*files, *names)]:
                with contextlib.suppress(OSError):
                    os.unlink(path)
            names[:] = [name for name in names if _can_enter(os.path.join(root, name), device)]
            found += [os.path.join(root, name) for name in names]
        for path in reversed(found):
            with contextlib.suppress(OSError):
                os.rmdir(path)
        for root, names, files in os.walk(folder):
            left += [os.path.join(root, name) for name in (*files, *names)]
            names[:] = [name for name in names if os.lstat(os.path.join(root, name)).st_dev == device]
    return sorted(left)


def _can_enter(path: str, device: int) -> bool:
    with contextlib.suppress(OSError):
        if os.lstat(path).st_dev == device and not os.path.islink(path):
            os.chmod(path, 0o700)
            return True
    return False


if __name__ == "__main__":
    main()
