"""Put the hub in place: environment, proxy, accounts, the course, the exchange. Run it as root; again after an update.

python3 hub/install.py
"""

import grp
import os
import pwd
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

KIT = Path(__file__).resolve().parent
CLONE = KIT.parent
PROXY = "configurable-http-proxy@4.6.3"  # the last that runs with Node 18, which Debian 12 and Ubuntu 24.04 have
PROGRAMS = {"useradd": "passwd", "npm": "npm", "bwrap": "bubblewrap"}
NOT_FOR_THE_COURSE = (".venv", "_build", "node_modules", "gradebook.db", "submitted", "autograded", "feedback")


def run(*command: str | Path, **options) -> None:
    """Show a command and run it."""
    print("+", *command, flush=True)
    subprocess.run(command, check=True, **options)


def look(settings: dict) -> None:
    """Refuse to begin where something is missing, and name all of it."""
    missing = [f"apt install {package}" for program, package in PROGRAMS.items() if not shutil.which(program)]
    if os.geteuid() != 0:
        missing.append("run it as root: it makes accounts")
    base = Path(sys.base_prefix)
    if any(not folder.stat().st_mode & 0o001 for folder in (base, *base.parents)):
        missing.append(f"a Python that everybody can run; {base} is closed to others: take the system's python3")
    if missing:
        sys.exit("Not begun:\n" + "\n".join(f"- {each}" for each in missing))


def kit(prefix: Path) -> None:
    """Copy this folder, which the hub and all its users read."""
    target = prefix / "hub"
    shutil.copytree(KIT, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (prefix, target, *target.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)


def environment(prefix: Path) -> None:
    """Install the course and the hub into one environment, with the versions that the course was tested with."""
    python = prefix / "env" / "bin" / "python"
    if not python.exists():
        run(sys.executable, "-m", "venv", prefix / "env")
    lists = ("-c", CLONE / "requirements.lock", "-r", KIT / "requirements-hub.txt")
    run(python, "-m", "pip", "install", "--quiet", *lists, f"{CLONE}[grader]", cwd=prefix)


def proxy(prefix: Path) -> None:
    """Install the proxy beside it."""
    run("npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", prefix, PROXY)


def accounts(course: str, lecturer: str) -> None:
    """Make the two groups and the lecturer, who gets no password here: passwd sets it."""
    for group in (f"nbgrader-{course}", f"formgrade-{course}"):
        run("groupadd", "--force", group)
    try:
        pwd.getpwnam(lecturer)
    except KeyError:
        run("useradd", "--create-home", "--shell", "/bin/bash", lecturer)
    if lecturer not in grp.getgrnam(f"formgrade-{course}").gr_mem:
        run("usermod", "--append", "--groups", f"formgrade-{course}", lecturer)
    Path(pwd.getpwnam(lecturer).pw_dir).chmod(0o700)


def course_folder(course: str, lecturer: str) -> None:
    """Give the lecturer a copy of the clone to work in; one that is there stays as it is."""
    account = pwd.getpwnam(lecturer)
    target = Path(account.pw_dir) / course
    if target.exists():
        return
    print("+ copy the course to", target, flush=True)
    shutil.copytree(CLONE, target, symlinks=True, ignore=shutil.ignore_patterns(*NOT_FOR_THE_COURSE))
    run("chown", "-R", f"{account.pw_uid}:{account.pw_gid}", target)


def folders(exchange: Path, state: Path) -> None:
    """Make the exchange, in which everybody may put things and nobody touch another's; and the hub's own folder."""
    exchange.mkdir(parents=True, exist_ok=True)
    exchange.chmod(0o1777)
    state.mkdir(parents=True, exist_ok=True)
    state.chmod(0o700)


def service(prefix: Path) -> None:
    """Let systemd start the hub; without it, say how."""
    command = f"{prefix}/env/bin/jupyterhub --config {prefix}/hub/jupyterhub_config.py"
    if not Path("/run/systemd/system").is_dir():
        print(f"systemd does not run here. Start the hub, as root, with:\n{command}")
        return
    text = (KIT / "jupyterhub.service").read_text(encoding="utf-8")
    Path("/etc/systemd/system/jupyterhub.service").write_text(text.replace("COMMAND", command), encoding="utf-8")
    run("systemctl", "daemon-reload")
    print("Start it with: systemctl enable --now jupyterhub; after a change: systemctl restart jupyterhub")


def main() -> None:
    """Do all of it; each step may be done twice."""
    path = KIT / "hub.toml"
    settings = tomllib.loads(path.read_text(encoding="utf-8"))
    look(settings)
    course, lecturer = settings["course"]["id"], settings["course"]["lecturer"]
    prefix = Path(settings["paths"]["prefix"])
    kit(prefix)
    accounts(course, lecturer)
    course_folder(course, lecturer)
    folders(Path(settings["paths"]["exchange"]), Path(settings["paths"]["state"]))
    proxy(prefix)
    environment(prefix)
    service(prefix)


if __name__ == "__main__":
    main()
