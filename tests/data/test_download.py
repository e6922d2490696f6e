"""Downloads against a server on this machine: whole, cut, resumed, damaged, missing, and without a network."""

import hashlib
import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from transformer_course.data.download import DownloadError, cache_folder, download

CONTENT = bytes(range(256)) * 1_000 + b"the end"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@contextmanager
def serve(ranges=True, cut_at=None, cuts=0, status=None):
    """Serve CONTENT; the first ``cuts`` answers end after ``cut_at`` bytes. Yields the address and the requests."""
    requests = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked = self.headers.get("Range")
            requests.append(asked)
            if status:
                self.send_error(status)
                return
            start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and ranges else 0
            if start >= len(CONTENT):
                self.send_error(416)
                return
            body = CONTENT[start:]
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(body)))
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(CONTENT) - 1}/{len(CONTENT)}")
            self.end_headers()
            self.wfile.write(body[:cut_at] if len(requests) <= cuts else body)

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/data.bin", requests
        finally:
            server.shutdown()
            thread.join()


def test_whole_file_once_and_nothing_beside_it(tmp_path):
    path = tmp_path / "new" / "data.bin"
    with serve() as (url, requests):
        for _ in range(2):
            assert download(url, path, SHA256, progress=False) == path
    assert path.read_bytes() == CONTENT
    assert requests == [None]
    assert [each.name for each in path.parent.iterdir()] == ["data.bin"]


def test_unknown_checksum_is_allowed(tmp_path):
    with serve() as (url, _):
        assert download(url, tmp_path / "data.bin", progress=False).read_bytes() == CONTENT


@pytest.mark.parametrize("ranges", [True, False])
def test_a_cut_connection_is_taken_up_where_it_ended(tmp_path, ranges):
    with serve(ranges=ranges, cut_at=70_000, cuts=1) as (url, requests):
        path = download(url, tmp_path / "data.bin", SHA256, progress=False)
    assert path.read_bytes() == CONTENT
    assert requests == [None, "bytes=70000-"]


def test_too_many_cuts_keep_the_part_for_the_next_call(tmp_path):
    path = tmp_path / "data.bin"
    with serve(cut_at=50_000, cuts=2) as (url, requests):
        with pytest.raises(DownloadError, match=r"cut after 100000 of 256007 bytes.*put it at .*data\.bin"):
            download(url, path, SHA256, progress=False, attempts=2)
        assert not path.exists()
        assert (tmp_path / "data.bin.part").stat().st_size == 100_000
        assert download(url, path, SHA256, progress=False, attempts=2).read_bytes() == CONTENT
    assert requests == [None, "bytes=50000-", "bytes=100000-"]


def test_a_part_that_is_too_long_is_thrown_away(tmp_path):
    (tmp_path / "data.bin.part").write_bytes(CONTENT + b"more")
    with serve() as (url, _):
        assert download(url, tmp_path / "data.bin", SHA256, progress=False).read_bytes() == CONTENT


def test_wrong_checksum_leaves_no_file_and_no_part(tmp_path):
    with serve() as (url, _), pytest.raises(DownloadError, match=f"expected sha256 {'0' * 64}, got {SHA256}"):
        download(url, tmp_path / "data.bin", "0" * 64, progress=False)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_compared_and_never_deleted(tmp_path):
    path = tmp_path / "data.bin"
    path.write_bytes(b"something else")
    with pytest.raises(DownloadError, match=r"data\.bin is there, but has another checksum"):
        download("http://127.0.0.1:9/data.bin", path, SHA256)
    assert path.read_bytes() == b"something else"


def test_a_missing_file_is_asked_for_once(tmp_path):
    with serve(status=404) as (url, requests), pytest.raises(DownloadError, match="the server answered 404"):
        download(url, tmp_path / "data.bin", progress=False)
    assert requests == [None]


def test_without_a_network_the_error_says_what_to_do(tmp_path):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound but not listening: connections are refused
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/data.bin"
        with pytest.raises(DownloadError, match="needs a network connection once. Without one, fetch the file"):
            download(url, tmp_path / "data.bin", progress=False, timeout=1)


def test_progress_bar(tmp_path, capsys):
    with serve() as (url, _):
        download(url, tmp_path / "data.bin", SHA256)
    assert "data.bin" in capsys.readouterr().err


def test_cache_folder_can_be_set(monkeypatch, tmp_path):
    monkeypatch.setenv("TRANSFORMER_COURSE_DATA", str(tmp_path))
    assert cache_folder() == tmp_path
