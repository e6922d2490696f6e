"""The built book, a server for it, and a browser: made once, shared by all tests of this folder."""

import functools
import http.server
import importlib.util
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import chromium
import pytest
import yaml
from filelock import FileLock

ROOT = Path(__file__).resolve().parents[2]
START = "from jupyter_book.cli.main import main; main()"  # jupyter-book of this environment, wherever the path leads
# Pages that hold every kind of thing a page may hold. Tests of `page_name` look at these; the others are exhaustive.
SAMPLED = {
    "index",
    "search",
    "book/index",
    "book/notation",
    "book/04_scaled_dot_product_attention",
    "book/bibliography",
    "book/validity",
    "exercises/04_scaled_dot_product_attention/04_scaled_dot_product_attention",
}


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the groups in this hook, too
def pytest_collection_modifyitems(items) -> None:
    """Let one process of pytest-xdist build the book at once, and all of them look at its pages at the end."""
    here = [item for item in items if Path(__file__).parent in item.path.parents]
    for item in here:
        item.add_marker(pytest.mark.book)
        if item.path.name != "test_pages.py":
            item.add_marker(pytest.mark.xdist_group("book"))
    items.sort(key=lambda item: item.path == Path(__file__).parent / "test_pages.py")


def pages_of_toc() -> list[str]:
    """Return every page that _toc.yml names, the first page first, without suffix."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf8"))

    def walk(entry: dict) -> Iterator[str]:
        if "file" in entry:
            yield entry["file"]
        for key in ("parts", "chapters", "sections"):
            for child in entry.get(key, []):
                yield from walk(child)

    return [toc["root"], *walk(toc)]


def pytest_generate_tests(metafunc) -> None:
    """Run a test that takes `page_name` once for every page of the book."""
    names = [*pages_of_toc(), "index", "search"]
    if "page_name" in metafunc.fixturenames:
        cases = [pytest.param(name, marks=() if name in SAMPLED else pytest.mark.exhaustive) for name in names]
        metafunc.parametrize("page_name", cases)
    if "chapter_name" in metafunc.fixturenames:
        metafunc.parametrize("chapter_name", [page for page in pages_of_toc() if page[:7].startswith("book/")][1:])
    if "exercise_name" in metafunc.fixturenames:
        metafunc.parametrize("exercise_name", [page for page in pages_of_toc() if page.startswith("exercises/")])


def build(folder: Path, *options: str) -> subprocess.CompletedProcess:
    """Run the command of `make book` in a folder and return what came of it."""
    command = [sys.executable, "-c", START, "build", ".", "-W", "--keep-going", *options]
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="session")
def build_book():
    """The function that builds a book in a folder."""
    return build


@pytest.fixture(scope="session")
def extension():
    """A function that loads one of the book's own extensions by its name."""

    def load(name: str):
        spec = importlib.util.spec_from_file_location(name, ROOT / "book" / "_ext" / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the course."""
    return ROOT


@pytest.fixture(scope="session")
def book(testrun_uid) -> Path:
    """The folder of the built book. All pages are made anew; runs of unchanged chapters come from the cache."""
    if "COURSE_BOOK" in os.environ:  # a book that is built already, while one works on these tests
        return Path(os.environ["COURSE_BOOK"])
    html, done = ROOT / "_build" / "html", ROOT / "_build" / "built_by_tests"
    html.parent.mkdir(exist_ok=True)
    with FileLock(done.with_suffix(".lock")):  # another process waits, and finds the book of this run
        if not done.is_file() or done.read_text() != testrun_uid:
            shutil.rmtree(html, ignore_errors=True)
            result = build(ROOT, "--all")
            warnings = [line for line in result.stderr.splitlines() if "WARNING: " in line or "Error" in line]
            assert result.returncode == 0, "the book does not build:\n" + "\n".join(warnings[:10])
            done.write_text(testrun_uid)
    return html


class _QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args) -> None:
        """Say nothing on the terminal."""


@pytest.fixture(scope="session")
def server(book) -> Iterator[str]:
    """The address of a web server for the built book."""
    handler = functools.partial(_QuietHandler, directory=str(book))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as httpd:
        thread = threading.Thread(target=httpd.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{httpd.server_address[1]}"
        httpd.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def browser():
    """Chromium as it is installed on this machine; nothing is downloaded."""
    path = chromium.find()
    if path is None:
        pytest.skip(chromium.MISSING)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=chromium.arguments())
        yield browser
        browser.close()
