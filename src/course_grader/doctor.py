"""The command ``doctor``: is everything there that grading needs?"""

import importlib.metadata
import os
import shutil
import sys

from course_grader.sandbox import jail
from course_grader.settings import Course
from course_grader.submissions import find_students

_PACKAGES = ("nbgrader", "torch", "distributed", "nbformat", "IPython", "SQLAlchemy")


def examine(course: Course) -> list[tuple[str, bool, str]]:
    """Return one ``(what, is well, sentence)`` for each thing that was looked at."""
    version = ".".join(map(str, sys.version_info[:3]))
    found = [("Python", sys.version_info >= (3, 11), version)]
    for name in _PACKAGES:
        try:
            found.append((name, True, importlib.metadata.version(name)))
        except importlib.metadata.PackageNotFoundError:
            found.append((name, False, f"missing: pip install {name}"))
    reason = jail.why_unavailable()
    found.append(("sandbox", reason is None, reason or "bubblewrap works; no network and no processes inside"))
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        found.append(("user", True, "root; an ordinary user is enough and is the better choice"))
    cores = len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    each = course.settings.memory_mib / 1024 + 1
    fits = max(1, min(cores, int(memory / each)))
    found.append(("machine", memory >= each, f"{cores} cores, {memory:.0f} GiB memory; up to --workers {fits}"))
    free = shutil.disk_usage(course.root).free / 2**30
    found.append(("disk", free > 1, f"{free:.0f} GiB free in {course.root}"))
    has_config = (course.root / "nbgrader_config.py").exists()
    advice = (
        "nbgrader_config.py" if has_config else "no nbgrader_config.py here; run it in the course folder, or --course"
    )
    found.append(("course", has_config, advice))
    source = course.root / course.directory.source_directory
    names = sorted(path.name for path in source.iterdir() if path.is_dir()) if source.is_dir() else []
    found.append(("assignments", bool(names), ", ".join(names) or f"none in {source}"))
    for name in names:
        count = len(find_students(course, name))
        if count:
            found.append((f"  {name}", True, f"{count} submissions"))
    return found
