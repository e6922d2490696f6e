"""The filter of system calls, run on an interpreter of its instructions; and what can be seen from inside."""

import errno
import os
import platform
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

import course_grader
from course_grader.judge import student as judge_student
from course_grader.messages import Limits, Rules
from course_grader.sandbox import jail, seccomp
from course_grader.sharing.forms import Reply
from course_grader.sharing.peer import Peer
from course_grader.sharing.wire import Wire

ROOT = Path(__file__).resolve().parents[2]
ALLOW, KILL = 0x7FFF0000, 0x80000000
REFUSED, ABSENT = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
THIS = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def verdict(number: int, argument: int = 0, architecture: int | None = None, process: int = 77) -> int:
    """Run the filter on one call, as the kernel does (the instructions that it uses)."""
    data = struct.pack("=IIQQ", number, architecture or THIS[platform.machine()], 0, argument)
    code = list(struct.iter_unpack("=HBBI", seccomp.program(process)))
    position, value = 0, 0
    while True:
        operation, if_true, if_false, constant = code[position]
        position += 1
        if operation == 0x20:  # load a word
            (value,) = struct.unpack_from("=I", data, constant)
        elif operation == 0x54:  # and
            value &= constant
        elif operation == 0x15:  # equal
            position += if_true if value == constant else if_false
        elif operation == 0x35:  # at least
            position += if_true if value >= constant else if_false
        else:
            assert operation == 0x06
            return constant


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers below are those of x86_64")
def test_the_filter_of_system_calls():
    refused = {"fork": 57, "vfork": 58, "execve": 59, "ptrace": 101, "unshare": 272, "mount": 165, "keyctl": 250}
    for number in refused.values():
        assert verdict(number) == REFUSED
    for number in (0, 1, 9, 12, 39, 202, 231):  # read, write, mmap, brk, getpid, futex, exit_group
        assert verdict(number) == ALLOW
    assert verdict(56, argument=0x00010000 | 0x100) == ALLOW  # clone: a thread
    assert verdict(56, argument=17) == REFUSED  # clone: a process
    assert verdict(435) == ABSENT  # clone3
    assert verdict(62, argument=77) == ALLOW  # kill: itself
    assert [verdict(62, argument=each) for each in (0, 1, 76, 2**32 - 1)] == [REFUSED] * 4
    assert [verdict(302, argument=each) for each in (0, 77, 1)] == [ALLOW, ALLOW, REFUSED]  # prlimit64
    assert verdict(0x40000000 | 57) == REFUSED  # the x32 numbering of fork
    assert verdict(1, architecture=0x40000003) == KILL  # 32-bit calls


LOOK = """
import os, socket
def look():
    seen = {
        "user": os.getuid(), "root": sorted(os.listdir("/")), "environment": sorted(os.environ),
        "processes": [name for name in os.listdir("/proc") if name.isdigit()], "here": os.getcwd(),
        "interfaces": [name for _, name in socket.if_nameindex()],
    }
    for path in ("/usr/x", "/etc/x", "/tmp/x", "/dev/x", "/dev/shm/x", "/proc/1/oom_score_adj", "/x"):
        try:
            open(path, "w").close()
            seen["written"] = path
        except OSError:
            pass
    return seen
"""


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    (folder / "words.txt").write_text("hello")
    for copy in ("first", "second"):
        (folder / copy).mkdir()
        (folder / copy / "answers.py").write_text("right = 42")
        (folder / copy / f"named_{copy}.py").write_text("")
    (folder / "first" / "stand_in_checks" / "masking").mkdir(parents=True)
    for place in ("__init__.py", "masking/__init__.py"):
        (folder / "first" / "stand_in_checks" / place).write_text("def right():\n    return 42")
    # Less memory than torch alone has mapped.
    limits = Limits(memory_mib=256, file_mib=1, threads=64, cpu_seconds=10, cpu_seconds_total=60)
    rules = Rules(forbidden=["answers"], stand_ins=["stand_in_checks"], limits=limits, readable=[str(folder)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", f"{folder}/first:{folder}/second", prepend=":")
        sandbox = jail.Sandbox(rules)
    sandbox.wait()
    sandbox.folder = folder
    yield sandbox
    sandbox.close()


class Student(Peer):
    """The conversation with a student's process, which keeps what was printed last."""

    def on_reply(self, reply: Reply) -> None:
        self.printed = reply.printed


@pytest.fixture
def talk(sandbox):
    """Start a student's process that has run a cell; when the test is over it ends."""
    started = []

    def start(source: str) -> Student:
        if started:
            started[-1].wire.close()
            sandbox.end()
        peer = Student(Wire(sandbox.start()), trusted=True)
        started.append(peer)
        peer.wire.deadline = time.monotonic() + 60
        result = peer.request("cell", [source, "test"])
        assert result["error"] is None, result["error"]
        return peer

    yield start
    started[-1].wire.close()
    sandbox.end()


def test_what_is_seen_from_inside(sandbox, talk):
    peer = talk(LOOK)
    seen = peer.request("resolve", ["look"])()
    assert seen["user"] == 65534
    assert "1" in seen["processes"]
    assert len(seen["processes"]) == 2
    folders = {path.split("/")[1] for path in (*jail.python_paths(), str(sandbox.folder))}
    system = {"bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "sbin", "tmp", "usr"}
    assert set(seen["root"]) <= system | folders
    assert seen["interfaces"] in ([], ["lo"])
    assert seen["written"] == "/tmp/x"
    assert not {"LD_PRELOAD", "SSH_AUTH_SOCK", "USER"} & set(seen["environment"])
    ended = sandbox.end()
    assert ended["clean"]
    assert ended["cpu"] > 0


def test_readable_paths_can_be_read_and_not_written(sandbox, talk):
    path = str(sandbox.folder / "words.txt")
    peer = talk(f"def read():\n    return open({path!r}).read()\ndef write():\n    open({path!r}, 'w')")
    assert peer.request("resolve", ["read"])() == "hello"
    with pytest.raises(OSError, match="Read-only"):
        peer.request("resolve", ["write"])()


def test_memory_counts_beside_what_is_loaded(sandbox, talk):
    peer = talk("import torch\ndef take(mib):\n    return torch.ones(mib * 2**18).sum().item()")
    take = peer.request("resolve", ["take"])
    assert sandbox.mapped_mib > 400
    assert take(128) == 128 * 2**18
    with pytest.raises(RuntimeError, match="allocate memory"):
        take(512)


def test_every_copy_of_a_forbidden_module_is_hidden_and_what_pythonpath_names_is_there(sandbox, talk):
    source = "import course_grader, named_first, named_second\nplace = course_grader.__path__[0]"
    peer = talk(source + "\ndef read(path):\n    return open(path).read()")
    assert peer.request("resolve", ["place"]) == course_grader.__path__[0]
    for copy in ("first", "second"):
        with pytest.raises(OSError, match="Permission denied"):
            peer.request("resolve", ["read"])(f"{sandbox.folder}/{copy}/answers.py")


def test_a_stand_in_can_be_imported_does_nothing_and_its_files_are_not_there(sandbox, talk):
    peer = talk(
        "from stand_in_checks import masking as checks\nimport stand_in_checks.masking\n"
        "from stand_in_checks.masking import causal_mask\nchecks.causal_mask.visible(print)\n"
        "import importlib.util, os\n"
        f"folder = '{sandbox.folder}/first/stand_in_checks'\n"
        "def look():\n    return checks.right(), causal_mask.right(), os.listdir(folder)\n"
        "def around():\n    importlib.reload(stand_in_checks.masking)\n    return stand_in_checks.masking.right()",
    )
    assert peer.request("resolve", ["look"])() == (None, None, [])
    assert peer.request("resolve", ["around"])() is None
    result = peer.request("cell", ["checks.causal_mask.visible(print)", "own"])
    assert result["error"] is None
    assert "stand_in_checks.masking.causal_mask.visible does nothing" in peer.printed[0][1]
    # The grader loads each name that released cells import, functions too, before it is imported from its module.
    released = "import stand_in_checks.masking.right\nfrom stand_in_checks.masking import right\nright()"
    assert peer.request("cell", [released, "own"])["error"] is None


def test_the_first_process_and_the_next_submission_are_out_of_reach(sandbox, talk):
    peer = talk(
        "import os, resource\ndef memory():\n    open('/proc/1/mem', 'rb+')\n"
        "def limits():\n    resource.prlimit(1, resource.RLIMIT_CPU, (1, 1))\n"
        "def raised():\n    resource.setrlimit(resource.RLIMIT_AS, (2**40, 2**40))\n"
        "def large():\n    open('/tmp/large', 'wb').write(bytes(2 * 2**20))",
    )
    for name in ("memory", "limits", "raised", "large"):
        with pytest.raises((OSError, ValueError)):
            peer.request("resolve", [name])()
    peer.request("cell", ["open('/tmp/left', 'w').write('1')", "left"])
    assert sandbox.end()["clean"]
    # What can be read may itself lie under /tmp: the folder of the sandbox, the environment, the course, Python's path.
    places = (sandbox.folder, sys.prefix, ROOT, *sys.path)
    readable = {Path(path).parts[2] for path in places if str(path).startswith("/tmp/")}
    again = talk("import os\ndef look():\n    return os.listdir('/tmp')")
    assert set(again.request("resolve", ["look"])()) - readable == {"work"}


def test_time_for_which_a_busy_machine_let_it_wait_is_not_the_students(sandbox, monkeypatch):
    monkeypatch.setattr(judge_student, "_WALL_FACTOR", 1)
    core = min(os.sched_getaffinity(0))
    program = f"import os\nos.sched_setaffinity(0, {{{core}}})\nwhile True:\n    pass"
    others = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(3)]
    student = judge_student.StudentProcess(sandbox, Rules(limits=Limits(cpu_seconds=2)), {})
    try:
        student.run_cell(
            f"import os, time\nos.sched_setaffinity(0, {{{core}}})\n"
            "def work():\n    start = time.process_time()\n    while time.process_time() - start < 1.6:\n        pass\n"
            "def rest():\n    time.sleep(600)",
            "own",
        )
        start = time.monotonic()
        assert student.resolve("work")() is None
        assert time.monotonic() - start > 2
        start = time.monotonic()
        with pytest.raises(judge_student.StudentGone, match="no answer within 2 s"):
            student.resolve("rest")()
        assert time.monotonic() - start < 300  # long before it would have come back
    finally:
        student.close()
        for process in others:
            process.kill()
            process.wait()


@pytest.mark.parametrize(("restricted", "advises"), [("1\n", True), ("0\n", False)])
def test_where_namespaces_are_refused_it_says_who_can_allow_them(restricted, advises, tmp_path, monkeypatch):
    (tmp_path / "key").write_text(restricted)
    monkeypatch.setattr(jail, "_APPARMOR", tmp_path / "key")
    monkeypatch.setattr(jail, "find_bubblewrap", lambda: "/bin/false")
    said = jail.why_unavailable.__wrapped__()
    assert said.startswith("bubblewrap does not start")
    assert ("AppArmor profile, which the page Grading a class shows" in said) == advises
