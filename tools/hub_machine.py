"""What a machine has for a trial of the hub, and what a trial leaves: accounts, groups, processes, ports."""

import contextlib
import grp
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import install
from hub_visitor import processes

LECTURER, STUDENTS = "hubtrial-lecturer", ("hubtrial-amal", "hubtrial-boris")
GROUPS = ("nbgrader-attention", "formgrade-attention")


def python_for_everybody() -> str | None:
    """Find an interpreter of this version that other users can run."""
    places = [os.path.realpath(sys.executable), shutil.which(f"python3.{sys.version_info[1]}", path="/usr/bin:/bin")]
    for path in filter(None, places):
        if all(folder.stat().st_mode & 0o001 for folder in (Path(path), *Path(path).parents)):
            return path
    return None


def why_not() -> str | None:
    """Say what this machine lacks; None if the hub can run."""
    if os.environ.get("COURSE_HUB_TRIAL") != "1":
        return "it makes accounts on this machine: make hub-trial asks for that"
    if sys.platform != "linux" or os.geteuid() != 0:
        return "the hub makes accounts of Linux: only root can"
    for program in (*install.PROGRAMS, "userdel", "chpasswd"):
        if not shutil.which(program):
            return f"no program {program}"
    if not python_for_everybody():
        return "no Python of this version that other users can run"
    if any(account.gr_mem for account in grp.getgrall() if account.gr_name in GROUPS) and not accounts():
        return "this machine has a hub of the course already"
    closed = [folder for folder in (install.CLONE, sysconfig.get_path("purelib")) if not open_to_others(Path(folder))]
    return f"other users cannot read {closed[0]}" if closed else None


def open_to_others(path: Path) -> bool:
    """Whether everybody can go into a folder."""
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


def accounts() -> list[str]:
    """List the accounts of trials."""
    return [entry.pw_name for entry in pwd.getpwall() if entry.pw_name.startswith("hubtrial-")]


def free_ports(count: int) -> list[int]:
    """Find ports that nobody listens on."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def clean() -> None:
    """End what runs for the accounts of a trial, and remove them."""
    for name in accounts():
        for process in processes(name):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.1)
        subprocess.run(["userdel", "--force", "--remove", name], check=False, capture_output=True)
    for group in GROUPS:
        if any(each.gr_name == group and not each.gr_mem for each in grp.getgrall()):
            subprocess.run(["groupdel", group], check=True)
