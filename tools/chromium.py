"""The Chromium or Chrome of this machine, for pictures, the PDF and the tests; nothing is downloaded."""

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MISSING = "no Chromium or Chrome on this machine; on Debian: apt-get install chromium"


def find() -> str | None:
    """Return the path of the program, or nothing."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def arguments() -> list[str]:
    """Return what it needs on the command line: as root it does not start with its own sandbox."""
    return ["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else []
