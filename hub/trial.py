"""The hub on this machine for a few minutes, with accounts made for it and removed again: for tests and measurements.

It does what install.py does, but for the environment: that takes the packages of the one in which it runs, and adds
those of the hub. Everything lies in one folder below the system's temporary folder, accounts and groups excepted.
"""

import grp
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
import tomllib
from pathlib import Path

import install
import make_users
from visitor import Visitor, processes, until

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


class Trial:
    """A running hub; `with Trial() as hub`."""

    def __enter__(self) -> "Trial":
        self.clean()
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
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self.clean()
        shutil.rmtree(self.folder)

    @staticmethod
    def clean() -> None:
        """End what runs for the accounts of a trial, and remove them."""
        for name in accounts():
            for process in processes(name):
                os.kill(process, signal.SIGKILL)
            time.sleep(0.1)
            subprocess.run(["userdel", "--force", "--remove", name], check=False, capture_output=True)
        for group in GROUPS:
            if any(each.gr_name == group and not each.gr_mem for each in grp.getgrall()):
                subprocess.run(["groupdel", group], check=True)

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
        lists = ["-c", install.CLONE / "requirements.lock", "-r", install.KIT / "requirements-hub.txt"]
        pip = [sys.executable, "-m", "pip", "--python", env / "bin" / "python", "install", "--quiet"]
        subprocess.run([*pip, *lists], check=True, cwd=self.folder)

    def _start(self) -> None:
        command = [self.prefix / "env" / "bin" / "jupyterhub", "--config", self.prefix / "hub" / "jupyterhub_config.py"]
        environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                command, cwd=self.folder, env=environment, stdout=log, stderr=log, start_new_session=True
            )
        until(lambda: "JupyterHub is now running" in self.log.read_text(), 60, self._said)

    @property
    def log(self) -> Path:
        """What the hub writes."""
        return self.folder / "hub.log"

    def _said(self) -> str:
        return self.log.read_text(encoding="utf-8")[-4000:]

    def sign_in(self, name: str) -> Visitor:
        """Sign in with the password of the account, and wait until the server runs."""
        return Visitor(self, name)


def free_ports(count: int) -> list[int]:
    """Find ports that nobody listens on."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
