"""Cells of chapters import from this checkout, and run again when what they import has changed.

Jupyter Book's cache knows a notebook by the text of its cells. A chapter whose text stayed while the library
changed would show old results. So each chapter has a fingerprint of every file of the library, the drawings and the
experiments that it imports, directly or through other modules, and of every data or result file that it names. When
the fingerprint changes, the cached run is thrown away and the page is read again.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable
from modulefinder import ModuleFinder
from pathlib import Path

from jupyter_cache import get_cache
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

PACKAGE, CHECKS = "transformer_course", "course_checks"
PLACES = ("src", ".", "book")  # of the library, the experiments and the drawings, in the checkout
_OURS = rf"(?:{PACKAGE}|experiments|drawings)\b"
IMPORT = re.compile(
    rf"^[ \t]*(?:from[ \t]+{_OURS}[\w.]*[ \t]+import[ \t]*(?:\([^)]*\)|[^\n(]*)|import[ \t]+{_OURS}[^\n]*)",
    re.MULTILINE,
)
WORD = re.compile(r"""["']([\w-]+)["']""")
DATA_FILE = re.compile(r"""["']([\w./-]+\.(?:json|csv|tsv|txt|npz|npy|safetensors|gz))["']""")


def imported_files(page: str, root: Path) -> set[Path]:
    """Return the files of this checkout on which a page depends.

    Args:
        page: text of the page.
        root: the checkout.

    Returns:
        Every module that the page imports, whatever those import, and the library's files that are not Python; where
        checks are imported, all of them, for a page may put their names together. A page that imports nothing depends
        on nothing.
    """
    finder = ModuleFinder(path=[str(root / place) for place in PLACES])  # what is not there stays unknown
    finder.scan_code(
        compile("\n".join(map(str.strip, IMPORT.findall(page))), "page", "exec"), finder.add_module("page")
    )
    modules = {Path(module.__file__) for module in finder.modules.values() if module.__file__}
    others = (root / "src" / PACKAGE).rglob("*") if modules else ()
    checks = (root / "src" / CHECKS).rglob("*.py") if CHECKS in page else ()
    return modules | {path for path in others if path.is_file() and path.suffix not in {".py", ".pyc"}} | set(checks)


def fingerprint(page_path: Path, root: Path) -> str:
    """Return a hash of everything outside a page on which the results of its cells depend."""
    return used_files(page_path.read_text("utf8"), page_path.parent, root)


def used_files(page: str, page_folder: Path, root: Path) -> str:
    """Return a hash of the files that the text of a page imports or names."""
    named = {folder / name for name in DATA_FILE.findall(page) for folder in (root, page_folder)}
    words = set(WORD.findall(page))  # a page may put the name of a result file together
    named |= {path for path in root.glob("*/results/*.json") if path.stem in words}
    named |= {path for path in root.glob("experiments/*/results.json") if path.parent.name in words}
    named |= {path for path in root.glob("experiments/weights/*.safetensors") if path.stem in words}
    paths = imported_files(page, root) | {path.resolve() for path in named if path.is_file()}
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(os.path.relpath(path, root).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _forget_runs(cache_path: Path, paths: Iterable[Path]) -> None:
    stale = {path.resolve() for path in paths}
    cache = get_cache(cache_path)
    for record in cache.list_cache_records():
        if Path(record.uri).resolve() in stale:
            cache.remove_cache(record.pk)


def _outdated(app: Sphinx, env: BuildEnvironment, added: set, changed: set, removed: set) -> list[str]:
    root = Path(app.srcdir)
    pages = {name: Path(env.doc2path(name)) for name in env.found_docs if name.startswith("book/")}
    now = {name: fingerprint(path, root) for name, path in pages.items()}

    # What the cached runs were made with lies beside them; what the pages show lies in the environment.
    cache_path = Path(app.outdir).parent / ".jupyter_cache"
    record = cache_path / "fingerprints.json"
    cached = json.loads(record.read_text("utf8")) if record.is_file() else {}
    if cache_path.is_dir():
        _forget_runs(cache_path, [pages[name] for name in pages if cached.get(name) != now[name]])
    cache_path.mkdir(parents=True, exist_ok=True)
    record.write_text(json.dumps(now, indent=1), "utf8")

    shown = getattr(env, "course_fingerprints", {})
    env.course_fingerprints = now
    return [name for name in now if name in shown and shown[name] != now[name]]


def _set_environment(app: Sphinx, config) -> None:
    """Let the kernels of the cells import what is in this checkout."""
    ours = [str(Path(app.srcdir, place)) for place in PLACES]
    rest = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part and part not in ours]
    os.environ["PYTHONPATH"] = os.pathsep.join([*ours, *rest])
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # a debugger's remark on every start


def setup(app: Sphinx) -> dict:
    """Connect to Sphinx."""
    app.connect("config-inited", _set_environment)
    app.connect("env-get-outdated", _outdated)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
