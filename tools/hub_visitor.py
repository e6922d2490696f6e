"""Somebody who uses the hub: signs in with a password, gets a server, and runs commands in it."""

import http.cookiejar
import os
import pwd
import resource
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path


def until(done: Callable[[], object], seconds: float, said: Callable[[], str]) -> object:
    """Wait for something to be true, and return it; the error quotes what was `said`."""
    end = time.monotonic() + seconds
    while not (result := done()):
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds} s in vain:\n{said()}")
        time.sleep(0.2)
    return result


def processes(name: str, word: str = "") -> list[int]:
    """List the processes of an account whose command line holds a word."""
    uid, found = pwd.getpwnam(name).pw_uid, []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if place.stat().st_uid == uid and word in (place / "cmdline").read_text(errors="replace"):
                found.append(int(place.name))
        except OSError:
            continue  # it has just ended
    return found


class Visitor:
    """One account with its server.

    Args:
        hub: the running `Trial`.
        name: the account.
    """

    def __init__(self, hub, name: str):
        self.hub, self.name = hub, name
        self.home = Path(pwd.getpwnam(name).pw_dir)
        self._cookies = http.cookiejar.CookieJar()
        self._browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._cookies))
        self.page("/hub/login")
        token = next(cookie.value for cookie in self._cookies if cookie.name == "_xsrf")
        form = {"username": name, "password": hub.passwords[name], "_xsrf": token}
        status, _ = self.page("/hub/login", urllib.parse.urlencode(form).encode())
        if status != 200:
            raise PermissionError(f"{name} could not sign in: status {status}")
        until(self._is_there, 60, hub.log.read_text)
        (self.server,) = processes(name, "jupyterhub-singleuser")
        pairs = Path(f"/proc/{self.server}/environ").read_bytes().rstrip(b"\0").split(b"\0")
        self.environment = {key.decode(): value.decode() for key, _, value in (pair.partition(b"=") for pair in pairs)}

    def _is_there(self) -> bool:
        """Whether the server itself answers; while it starts, the hub's page of patience does."""
        try:
            with self._browser.open(f"{self.hub.address}/user/{self.name}/lab", timeout=60) as answer:
                return "/hub/" not in answer.url
        except urllib.error.HTTPError:
            return False

    def page(self, path: str, form: bytes | None = None) -> tuple[int, str]:
        """Return the status and the text of a page; 404 and its like are answers, too."""
        request = urllib.request.Request(self.hub.address + path, form)
        for cookie in self._cookies:
            if cookie.name == "_xsrf" and path.startswith(cookie.path):
                request.add_header("X-XSRFToken", cookie.value)
        try:
            with self._browser.open(request, timeout=60) as answer:
                return answer.status, answer.read().decode(errors="replace")
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(errors="replace")

    @property
    def limits(self) -> dict[str, list[str]]:
        """The limits of the server as the kernel names them: the soft and the hard one."""
        lines = Path(f"/proc/{self.server}/limits").read_text(encoding="utf-8").splitlines()
        return {line[:25].strip(): line[26:].split()[:2] for line in lines}

    def run(self, *command: str | Path, folder: str = "") -> subprocess.CompletedProcess:
        """Run a command as a terminal in the server would: its user, home folder, environment and limits."""
        account = pwd.getpwnam(self.name)
        kinds = {"Max address space": resource.RLIMIT_AS, "Max processes": resource.RLIMIT_NPROC}
        limits = {kind: self.limits[words] for words, kind in kinds.items() if "unlimited" not in self.limits[words]}
        cores = os.sched_getaffinity(self.server)

        def begin() -> None:
            os.sched_setaffinity(0, cores)
            for kind, limit in limits.items():
                resource.setrlimit(kind, tuple(map(int, limit)))

        return subprocess.run(
            command,
            cwd=self.home / folder,
            env=self.environment,
            user=account.pw_uid,
            group=account.pw_gid,
            extra_groups=os.getgrouplist(self.name, account.pw_gid),
            preexec_fn=begin,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def does(self, *command: str | Path, folder: str = "") -> str:
        """Run a command that must succeed, and return all that it said."""
        done = self.run(*command, folder=folder)
        if done.returncode:
            raise RuntimeError(f"{self.name}: {' '.join(map(str, command))}: {(done.stdout + done.stderr)[-4000:]}")
        return done.stdout + done.stderr
