"""Two rules for files that git keeps, run as hooks: `end-of-file` and `size`.

python tools/files.py end-of-file FILES   each text file ends with exactly one newline
python tools/files.py size FILES          no file is larger than 500 kB
"""

import sys
from pathlib import Path

LARGEST = 500_000


def breaks_end_of_file(path: Path) -> str:
    """Say what is wrong at the end of a text file; nothing if it is empty or ends with one newline."""
    content = path.read_bytes()
    if not content or (content.endswith(b"\n") and not content.endswith((b"\n\n", b"\r\n\r\n"))):
        return ""
    return f"{path}: expected one newline at the end, got {content[-4:]!r}"


def breaks_size(path: Path) -> str:
    """Say by how much a file is too large; nothing if it is not."""
    size = path.stat().st_size
    return f"{path}: expected at most {LARGEST // 1000} kB, got {size // 1000} kB" if size > LARGEST else ""


RULES = {"end-of-file": breaks_end_of_file, "size": breaks_size}


def main(arguments: list[str]) -> int:
    """Check the files; the exit status is 1 if one breaks the rule."""
    rule, *names = arguments
    found = [message for message in (RULES[rule](Path(name)) for name in names) if message]
    for message in found:
        print(message, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
