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
import shutil
import signal
import socket
import sys
import traceback

from course_grader.sandbox import imports, seccomp

_PR_SET_DUMPABLE = 4
MIB = 2**20


def main() -> None:
    """Serve ``start`` and ``end`` on the control socket until it closes.

    Command line: the number of the socket, and a JSON object with preload, limits and folders.
    """
    control = socket.socket(fileno=int(sys.argv[1]))
    settings = json.loads(sys.argv[2])
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    student = importlib.import_module("course_grader.sandbox.student")
    imports.ImportGuard(settings["forbidden"]).install()
    for name in settings["preload"]:
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    importlib.import_module("course_grader.sharing.gradients").warm_up()
    gc.collect()
    gc.freeze()
    _empty(settings["writable"])
    control.send(json.dumps({"ready": True}).encode())
    child = None
    while True:
        message, descriptors, *_ = socket.recv_fds(control, 2**16, 1)
        if not message:
            return
        if json.loads(message)["op"] == "start":
            child = os.fork()
            if child == 0:
                control.close()
                _become_student(student, descriptors[0], settings)
            os.close(descriptors[0])
            control.send(b"{}")
        else:
            control.send(json.dumps(_end(child, settings["writable"])).encode())
            child = None


def _become_student(student, descriptor: int, settings: dict) -> None:
    try:
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)
        limits = settings["limits"]
        if settings["isolated"]:
            limit(resource.RLIMIT_NPROC, limits["threads"])
            seccomp.install()
        limit(resource.RLIMIT_AS, limits["memory_mib"] * MIB)
        limit(resource.RLIMIT_FSIZE, limits["file_mib"] * MIB)
        limit(resource.RLIMIT_CPU, limits["cpu_seconds_total"])
        limit(resource.RLIMIT_CORE, 0)
        limit(resource.RLIMIT_NOFILE, 256)
        student.run(socket.socket(fileno=descriptor), settings)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


def limit(which: int, value: int) -> None:
    """Lower a limit of this process for good."""
    hard = resource.getrlimit(which)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (value, value))


def _end(child: int | None, writable: list[str]) -> dict:
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
        "clean": _empty(writable),
    }


def _empty(folders: list[str]) -> bool:
    for folder in folders:
        for root, names, _ in os.walk(folder):  # from above, so that a folder can be opened before it is entered
            for name in names:
                path = os.path.join(root, name)
                if not os.path.islink(path):
                    with contextlib.suppress(OSError):
                        os.chmod(path, 0o700)
        for entry in os.scandir(folder):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)
    return not any(os.listdir(folder) for folder in folders)


if __name__ == "__main__":
    main()
