"""Download a file once: with checksum, progress bar and resume, and under its final name only when it is complete."""

import hashlib
import os
import urllib.error
import urllib.request
from http.client import HTTPException
from pathlib import Path

from tqdm import tqdm

CHUNK = 1 << 16


class DownloadError(ConnectionError):
    """A file could not be fetched, or is not the file that was expected."""


def cache_folder() -> Path:
    """Return where downloads are kept: ``$TRANSFORMER_COURSE_DATA``, else ``~/.cache/transformer_course``."""
    return Path(os.environ.get("TRANSFORMER_COURSE_DATA", Path.home() / ".cache" / "transformer_course"))


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def download(
    url: str,
    path: Path | str,
    sha256: str | None = None,
    progress: bool = True,
    timeout: float = 30.0,
    attempts: int = 3,
) -> Path:
    """Fetch a file unless it is there already.

    What has arrived so far stands in ``path`` with ``.part`` at the end. After a cut connection the rest is asked for;
    so it is when the function is called again after an error.

    Args:
        url: where the file is.
        path: where it shall be.
        sha256: its checksum in hexadecimal. None = unknown: nothing is compared, and the caller should say so.
        progress: show a progress bar.
        timeout: seconds without any data before a connection counts as cut.
        attempts: how often in a row a connection may be cut.

    Returns:
        The path.

    Raises:
        DownloadError: without a network, for a missing file, after too many cuts, or for a wrong checksum.
    """
    path = Path(path)
    if path.exists():
        _compare(path, sha256, f"{path} is there, but")
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    for attempt in range(1, attempts + 1):
        try:
            _fetch(url, part, progress, timeout)
            break
        except urllib.error.HTTPError as error:
            if error.code == 416:  # the part is longer than the file: begin anew
                part.unlink(missing_ok=True)
                reason = "the server does not have the rest of the file"
            else:
                raise DownloadError(_advice(url, path, f"the server answered {error.code} {error.reason}")) from error
        except (OSError, HTTPException) as error:
            reason = str(getattr(error, "reason", error)) or type(error).__name__
        if attempt == attempts:
            raise DownloadError(_advice(url, path, reason))
    _compare(part, sha256, f"what came from {url}")
    os.replace(part, path)
    return path


def _fetch(url: str, part: Path, progress: bool, timeout: float) -> None:
    """Append to the part what it still lacks; a server that knows no ranges sends everything again."""
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    with urllib.request.urlopen(request, timeout=timeout) as response:
        if response.status != 206:
            have = 0
        length = response.headers.get("Content-Length")
        total = have + int(length) if length is not None else None
        bar = tqdm(
            total=total, initial=have, unit="B", unit_scale=True, desc=part.stem, disable=not progress, leave=False
        )
        with bar, open(part, "ab" if have else "wb") as file:
            while chunk := response.read(CHUNK):
                file.write(chunk)
                have += len(chunk)
                bar.update(len(chunk))
    if total is not None and have < total:
        raise ConnectionError(f"the connection was cut after {have} of {total} bytes")


def _compare(path: Path, sha256: str | None, what: str) -> None:
    if sha256 is None:
        return
    actual = sha256_of(path)
    if actual != sha256:
        if path.suffix == ".part":
            path.unlink()
        raise DownloadError(
            f"{what} has another checksum: expected sha256 {sha256}, got {actual}. The file is damaged or was "
            f"changed at its source. Delete {path} if it is there, and try again."
        )


def _advice(url: str, path: Path, reason: str) -> str:
    return (
        f"{url} could not be fetched: {reason}. It needs a network connection once. Without one, fetch the file "
        f"elsewhere and put it at {path}, or give its own path to the function that reads it. What has arrived "
        "is kept; the next call goes on from there."
    )
