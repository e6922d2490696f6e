"""The bubblewrap command: what the sandbox can see, and the warm process inside it."""

import contextlib
import functools
import importlib.util
import json
import os
import shutil
import site
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from course_grader.messages import Rules, SandboxStart, plain

_START_SECONDS = 300
_SYSTEM = ("/usr", "/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/ssl", "/etc/fonts")
_LINKS = ("/bin", "/sbin", "/lib", "/lib64", "/lib32")
_APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")


class SandboxError(RuntimeError):
    """The sandbox cannot be started or no longer answers."""


def find_bubblewrap() -> str | None:
    """Return the path of bubblewrap, or None."""
    return shutil.which("bwrap")


@functools.cache
def why_unavailable() -> str | None:
    """Say in one sentence why there is no sandbox on this machine; None if there is one."""
    from course_grader.sandbox import seccomp

    program = find_bubblewrap()
    if program is None:
        return "bubblewrap is not installed (Debian, Ubuntu: apt install bubblewrap; Fedora: dnf install bubblewrap)"
    if not seccomp.is_supported():
        return f"the system-call filter is not written for this machine ({os.uname().machine})"
    command = [*_command(program, (), ()), "/usr/bin/env", "true"]
    tried = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if tried.returncode:
        advice = ""
        if _APPARMOR.is_file() and _APPARMOR.read_text(encoding="utf-8").strip() == "1":
            advice = "; this Ubuntu allows it by an AppArmor profile, which the page Grading a class shows"
        return f"bubblewrap does not start: {tried.stderr.strip()[:300]}{advice}"
    return None


def _command(program: str, readable: tuple[str, ...], hidden: tuple[str, ...]) -> list[str]:
    command = [program, "--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534", "--as-pid-1"]
    command += ["--die-with-parent", "--new-session", "--hostname", "sandbox", "--clearenv", "--cap-drop", "ALL"]
    command += ["--size", str(64 * 2**20), "--tmpfs", "/tmp"]
    for path in _SYSTEM:
        command += ["--ro-bind-try", path, path]
    for path in _LINKS:
        if os.path.islink(path):
            command += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            command += ["--ro-bind", path, path]
    for path in readable:
        command += ["--ro-bind", path, path]
    for path in hidden:
        command += ["--tmpfs", path, "--remount-ro", path] if os.path.isdir(path) else ["--ro-bind", "/dev/null", path]
    command += [
        "--proc",
        "/proc",
        "--remount-ro",
        "/proc",
        "--dev",
        "/dev",
        "--remount-ro",
        "/dev",
        "--remount-ro",
        "/",
    ]
    return [*command, "--chdir", "/tmp"]


def python_paths() -> tuple[str, ...]:
    """Return the folders that this Python needs to run: itself, its packages, and editable installs."""
    folders = [sys.prefix, sys.base_prefix, *site.getsitepackages()]
    folders += [path for path in sys.path if path and os.path.isdir(path)]
    folders += _own_paths()
    chosen: list[str] = []
    for folder in sorted({os.path.abspath(each) for each in folders} | {os.path.realpath(each) for each in folders}):
        is_course = os.path.exists(os.path.join(folder, "nbgrader_config.py"))
        is_private = folder in ("/", "/usr", "/tmp", os.getcwd(), os.path.expanduser("~")) or is_course
        inside = folder.startswith("/usr/") or any(folder.startswith(each + "/") for each in chosen)
        if not is_private and not inside:
            chosen.append(folder)
    return tuple(chosen)


def _own_paths() -> list[str]:
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return [str(Path(__file__).resolve().parents[2]), *(os.path.abspath(path) for path in named if path)]


def files_of_modules(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files and folders that hold some modules, to hide them: every copy, not only the one imported."""
    found: set[Path] = set()
    for name in names:
        places = [Path(folder, *name.split(".")) for folder in (*sys.path, *_own_paths()) if folder]
        with contextlib.suppress(ImportError, ValueError):
            spec = importlib.util.find_spec(name)
            if spec is not None and spec.origin:
                places.append(Path(spec.origin).parent if spec.submodule_search_locations else Path(spec.origin))
        for place in [*places, *(place.resolve() for place in places)]:  # a folder is bound under both of its paths
            file = place if place.suffix else place.with_suffix(".py")
            if place.is_dir():
                found.add(place)
            elif file.is_file():
                found |= {file, *(file.parent / "__pycache__").glob(file.stem + ".*.pyc")}
    return tuple(map(str, sorted(found)))


class Sandbox:
    """A running sandbox with a warm process, that starts one student's process at a time.

    Args:
        rules: what the assignment decides.
        isolated: False runs without bubblewrap, for courses that accept it.
    """

    def __init__(self, rules: Rules, isolated: bool = True):
        self._isolated = isolated
        reason = why_unavailable() if isolated else None
        if reason:
            raise SandboxError(reason)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        start = SandboxStart(rules, isolated, writable=["/tmp"] if isolated else [])
        environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": "/tmp",
            "LANG": "C.UTF-8",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
            "MPLBACKEND": "Agg",
            "MPLCONFIGDIR": "/tmp/matplotlib",
            "PYTHONDONTWRITEBYTECODE": "1",
            "TORCH_COMPILE_DISABLE": "1",  # it would start a compiler
            # The same packages as here, also where they are not installed but named in PYTHONPATH.
            "PYTHONPATH": os.pathsep.join(_own_paths()),
        }
        command = [sys.executable, "-P", "-s", "-m", "course_grader.sandbox.zygote"]
        command += [str(theirs.fileno()), json.dumps(plain(start))]
        if isolated:
            paths = (*python_paths(), *rules.readable)
            jail = _command(find_bubblewrap(), paths, files_of_modules(rules.hidden))
            for name, value in environment.items():
                jail += ["--setenv", name, value]
            command = [*jail, *command]
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the sandbox)
        self._process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            pass_fds=[theirs.fileno()],
            cwd="/" if isolated else None,
        )
        theirs.close()
        self.control = ours

    def wait(self) -> None:
        """Wait until the sandbox is warm; it is started by the constructor, and others can work meanwhile.

        Raises:
            SandboxError: with what it wrote, if it does not start.
        """
        ready = self._receive(_START_SECONDS)
        if ready is None:
            self._process.kill()
            raise SandboxError(f"the sandbox did not start: {self.errors()}")
        self.mapped_mib = ready["mapped_mib"]

    def start(self) -> socket.socket:
        """Fork a process for one submission and return the socket on which it listens."""
        ours, theirs = socket.socketpair()
        try:
            socket.send_fds(self.control, [b'{"op": "start"}'], [theirs.fileno()])
        except OSError as error:
            raise SandboxError(f"the sandbox is gone: {error}") from None
        finally:
            theirs.close()
        if self._receive(30) is None:
            raise SandboxError("the sandbox does not answer")
        return ours

    def end(self) -> dict:
        """End the submission's process, clean up after it, and return how it ended and what it used."""
        try:
            self.control.send(b'{"op": "end"}')
        except OSError as error:
            raise SandboxError(f"the sandbox is gone: {error}") from None
        ended = self._receive(30)
        if ended is None:
            raise SandboxError("the sandbox does not answer")
        return ended

    def waited(self) -> float:
        """Return for how many seconds the submission's process could have run, but had no processor."""
        with contextlib.suppress(OSError):
            self.control.send(b'{"op": "waited"}')
            return (self._receive(30) or {}).get("seconds", 0.0)
        return 0.0

    def errors(self) -> str:
        """Return the end of what the sandbox wrote to its standard error."""
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")[-2000:].strip()

    def close(self) -> None:
        """End the sandbox and everything in it."""
        self.control.close()
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.wait()
        self._errors.close()

    def _receive(self, seconds: float) -> dict | None:
        self.control.settimeout(seconds)
        with contextlib.suppress(OSError):
            message = self.control.recv(2**16)
            return json.loads(message) if message else None
        return None
