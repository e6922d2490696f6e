"""JupyterHub for the course: real Linux users, nbgrader's exchange, limits. Settings: hub.toml; how: book/hub.md."""

import grp
import os
import resource
import subprocess
import sys
import tomllib
from pathlib import Path

from jupyterhub.spawner import LocalProcessSpawner

KIT = Path(__file__).resolve().parent
HUB = tomllib.loads((KIT / "hub.toml").read_text(encoding="utf-8"))
COURSE, LECTURER = HUB["course"]["id"], HUB["course"]["lecturer"]
PREFIX, STATE = Path(HUB["paths"]["prefix"]), Path(HUB["paths"]["state"])
# nbgrader knows a course's people by these names; they are groups of Linux, and below groups of the hub.
STUDENTS, TEACHERS = f"nbgrader-{COURSE}", f"formgrade-{COURSE}"
GIB = 2**30


def people(group):
    """Return the members of a group of Linux."""
    return sorted(grp.getgrnam(group).gr_mem)


def mapped_by_torch():
    """Return the bytes that a process of the servers' environment has mapped once it has imported torch."""
    code = "import torch; print(open('/proc/self/statm').read().split()[0])"
    pages = subprocess.check_output([PREFIX / "env" / "bin" / "python", "-c", code])
    return int(pages) * resource.getpagesize()


class LimitedSpawner(LocalProcessSpawner):
    """A server as a process of its user, with limits that the kernel keeps without systemd.

    Memory holds for each process by itself, beside what PyTorch takes (0.6 GiB in its build for processors, 3 GiB in
    that for graphics cards), the number of processes for the user, and the cores for each process until it chooses
    others: a guard against accidents. Against malice take systemd.
    """

    loaded = 0
    processes = 0

    def make_preexec_fn(self, name):
        """Set the limits, which nobody can raise again, and then become the user."""
        become_user = super().make_preexec_fn(name)
        cores = sorted(os.sched_getaffinity(0))
        count = int(-(-self.cpu_limit // 1)) if self.cpu_limit else len(cores)
        first = self.user.id * count % len(cores)  # neighbours in the list of users get other cores
        memory, processes = self.mem_limit and self.mem_limit + self.loaded, self.processes

        def start():
            os.sched_setaffinity(0, (cores + cores)[first : first + min(count, len(cores))])
            if memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            if processes:
                resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            become_user()

        return start


def prepare(spawner):
    """Give a server its limits, and the configuration of its role."""
    role = "lecturer" if spawner.user.name == LECTURER else "student"
    limits = HUB[role]
    spawner.mem_limit = int(limits["memory_gib"] * GIB) or None
    spawner.cpu_limit = limits["cores"] or None
    if isinstance(spawner, LimitedSpawner):
        spawner.processes = limits["processes"]
    elif limits["processes"]:
        spawner.unit_extra_properties = {"TasksMax": str(limits["processes"])}
    threads = str(int(max(1, limits["cores"]))) if limits["cores"] else ""
    spawner.environment = {
        **spawner.environment,
        "JUPYTER_CONFIG_PATH": os.pathsep.join(str(KIT / "config" / name) for name in (role, "everyone")),
        **({"OMP_NUM_THREADS": threads} if threads else {}),
    }


c = get_config()  # noqa: F821 (JupyterHub defines it)

# The way in. Only the proxy is seen from outside; the hub and the servers listen on this machine alone.
c.JupyterHub.bind_url = HUB["web"]["bind"]
c.JupyterHub.ssl_key, c.JupyterHub.ssl_cert = HUB["web"]["key"], HUB["web"]["certificate"]
c.JupyterHub.subdomain_host = HUB["web"]["subdomains"]
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{HUB['web']['hub_port']}"
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{HUB['web']['proxy_port']}"
c.ConfigurableHTTPProxy.command = [str(PREFIX / "node_modules" / ".bin" / "configurable-http-proxy")]
c.ConfigurableHTTPProxy.pid_file = str(STATE / "proxy.pid")
c.JupyterHub.db_url = f"sqlite:///{STATE / 'jupyterhub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(STATE / "cookie_secret")

# Who may come in: members of the two groups, with the password of their Linux account.
c.JupyterHub.authenticator_class = "pam"
c.PAMAuthenticator.allowed_groups = {STUDENTS, TEACHERS}
c.PAMAuthenticator.open_sessions = False
c.JupyterHub.load_groups = {group: {"users": people(group)} for group in (STUDENTS, TEACHERS)}

# What they get: JupyterLab in the home folder.
SYSTEMD = Path("/run/systemd/system").is_dir()
c.JupyterHub.spawner_class = "systemdspawner.SystemdSpawner" if SYSTEMD else LimitedSpawner
LimitedSpawner.loaded = 0 if SYSTEMD else mapped_by_torch()
c.JupyterHub.cleanup_servers = not SYSTEMD  # there, servers go on while the hub is restarted
c.SystemdSpawner.isolate_tmp = True
c.SystemdSpawner.isolate_devices = True
c.SystemdSpawner.disable_user_sudo = True
c.Spawner.cmd = [str(PREFIX / "env" / "bin" / "jupyterhub-singleuser")]
c.Spawner.notebook_dir = "~"
c.Spawner.default_url = "/lab"
c.Spawner.pre_spawn_hook = prepare
c.Spawner.environment = {"PATH": f"{PREFIX / 'env' / 'bin'}:/usr/local/bin:/usr/bin:/bin"}
c.Spawner.http_timeout = c.Spawner.start_timeout = 120  # on a Monday at 10 everybody starts at once
c.JupyterHub.concurrent_spawn_limit = 20

# A server that nobody uses is stopped; its files stay.
c.JupyterHub.load_roles = [
    {
        "name": "idle-culler",
        "services": ["idle-culler"],
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
    }
]
c.JupyterHub.services = [
    {
        "name": "idle-culler",
        "command": [
            *(sys.executable, "-m", "jupyterhub_idle_culler"),
            f"--timeout={int(60 * HUB['idle']['minutes'])}",
            f"--cull-every={HUB['idle']['every']}",
        ],
    }
]

# What is yours alone, such as another way to sign in: a file beside this one, which no update touches.
if (KIT / "local_config.py").is_file():
    load_subconfig(str(KIT / "local_config.py"))  # noqa: F821 (JupyterHub defines this, too)
