"""The hub on this machine for a few minutes, with accounts made for it and removed again: for tests and measurements.

It does what install.py does, but for the environment: that takes the packages of the one in which it runs, and adds
those of the hub. Everything lies in one folder below the system's temporary folder, accounts and groups excepted.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from pathlib import Path

import install
import make_users
from filelock import FileLock
from hub_machine import GROUPS, LECTURER, STUDENTS, clean, free_ports, python_for_everybody
from hub_visitor import Visitor, until


class Trial:
    """A running hub; `with Trial() as hub`. A second one on this machine waits for the end of the first."""

    def __enter__(self) -> "Trial":
        self._lock = FileLock(Path(tempfile.gettempdir()) / "course-hub-trial.lock")
        self._lock.acquire(timeout=600)
        clean()
        self.folder = Path(tempfile.mkdtemp(prefix="hub-"))
        self.folder.chmod(0o755)
        self.prefix, self.exchange = self.folder / "opt", self.folder / "exchange"
        self.passwords: dict[str, str] = {}
        self.process: subprocess.Popen | None = None
        try:
            self._install()
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        if self.process and self.process.poll() is None:
            ours = self.processes()
            self.process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(20)
            for process in filter(self._runs_here, ours):
                os.kill(process, signal.SIGKILL)
            self.process.wait()
        clean()
        shutil.rmtree(self.folder)
        self._lock.release()

    def _install(self) -> None:
        ports = free_ports(3)
        self.address = f"http://127.0.0.1:{ports[0]}"
        install.kit(self.prefix)
        text = (install.KIT / "hub.toml").read_text(encoding="utf-8")
        paths = tomllib.loads(text)["paths"]
        changes = {"http://127.0.0.1:8000": self.address, "= 8081": f"= {ports[1]}", "= 8001": f"= {ports[2]}"}
        changes |= {'"lecturer"': f'"{LECTURER}"', paths["prefix"]: str(self.prefix)}
        changes |= {paths["state"]: str(self.folder / "state"), paths["exchange"]: str(self.exchange)}
        for old, new in changes.items():
            text = text.replace(old, new)
        (self.prefix / "hub" / "hub.toml").write_text(text, encoding="utf-8")
        install.accounts("attention", LECTURER)
        install.course_folder("attention", LECTURER)
        install.folders(self.exchange, self.folder / "state")
        install.proxy(self.prefix)
        self._environment()
        table = self.folder / "class.csv"
        table.write_text("id,name\n" + "".join(f"{name},Student {name[9:]}\n" for name in STUDENTS), encoding="utf-8")
        make_users.make(make_users.read_class(table), GROUPS[0], self.folder / "passwords.csv")
        make_users.give_password(LECTURER, self.folder / "passwords.csv")
        lines = (self.folder / "passwords.csv").read_text(encoding="utf-8").splitlines()
        self.passwords = dict(line.split(",", 1) for line in lines)

    def _environment(self) -> None:
        env = self.prefix / "env"
        subprocess.run([python_for_everybody(), "-m", "venv", "--without-pip", env], check=True)
        here = sysconfig.get_path("purelib")
        version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
        own = env / "lib" / version / "site-packages"
        (own / "course.pth").write_text(f"{install.CLONE / 'src'}\n{here}\n", encoding="utf-8")
        for folder in ("etc", "share"):
            (env / folder).mkdir(exist_ok=True)
            (env / folder / "jupyter").symlink_to(Path(sys.prefix, folder, "jupyter"))
        for module in ("alembic", "nbgrader", "course_grader"):
            program = env / "bin" / module.replace("_", "-")
            program.write_text(f'#!/bin/sh\nexec "{env}/bin/python" -m {module} "$@"\n', encoding="utf-8")
            program.chmod(0o755)
        lists = ["-c", install.CLONE / "requirements.lock", "-r", install.KIT / "requirements-hub.txt"]
        pip = [sys.executable, "-m", "pip", "--python", env / "bin" / "python", "install", "--quiet"]
        subprocess.run([*pip, *lists], check=True, cwd=self.folder)

    def _start(self) -> None:
        command = [self.prefix / "env" / "bin" / "jupyterhub", "--config", self.prefix / "hub" / "jupyterhub_config.py"]
        environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # with it the hub ends what it started
            )
        until(lambda: "JupyterHub is now running" in self.log.read_text(), 60, self._said)

    @property
    def log(self) -> Path:
        """What the hub writes."""
        return self.folder / "hub.log"

    def _runs_here(self, process: int) -> bool:
        command = Path(f"/proc/{process}/cmdline")
        return command.exists() and str(self.folder) in command.read_text(encoding="utf-8")

    def _said(self) -> str:
        return self.log.read_text(encoding="utf-8")[-4000:]

    def processes(self) -> list[int]:
        """List the processes of the hub itself: with its proxy, without the servers of users."""
        first = self.process.pid
        children = map(int, Path(f"/proc/{first}/task/{first}/children").read_text(encoding="utf-8").split())
        return [first, *(child for child in children if Path(f"/proc/{child}").stat().st_uid == 0)]

    def sign_in(self, name: str) -> Visitor:
        """Sign in with the password of the account, and wait until the server runs."""
        return Visitor(self, name)
