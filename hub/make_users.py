"""Make the accounts of a class from a CSV file with the columns id and name; what is there already is kept.

python make_users.py class.csv --passwords passwords.csv
"""

import argparse
import csv
import os
import pwd
import re
import secrets
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ACCOUNT = re.compile(r"[a-z][a-z0-9_-]{0,31}")


class Problem(Exception):
    """What is wrong, in sentences for the person who ran the command."""


@dataclass(frozen=True)
class Student:
    """One row: the name of the account, and the person's own."""

    id: str
    name: str


def read_class(path: Path) -> list[Student]:
    """Read the file, and refuse it whole if any row is wrong; semicolons and tabs may stand for commas."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"{path}: expected a CSV file in UTF-8: {error}") from None
    heading = text.partition("\n")[0]
    rows = csv.DictReader(text.splitlines(), delimiter=max(",;\t", key=heading.count))
    missing = {"id", "name"} - {column.strip() for column in rows.fieldnames or []}
    if missing:
        raise Problem(f"{path}, line 1: expected the columns id and name, got {heading.strip()!r}")
    rows.fieldnames = [column.strip() for column in rows.fieldnames]
    found, wrong = {}, []
    for row in rows:
        student = Student((row["id"] or "").strip(), " ".join((row["name"] or "").split()))
        if not (student.id or student.name):
            continue
        reason = what_is_wrong(student) or ("it stands there twice" if student.id in found else None)
        if reason:
            wrong.append(f"{path}, line {rows.line_num}: id {student.id!r}: {reason}")
        found[student.id] = student
    if wrong:
        raise Problem("\n".join(wrong))
    return list(found.values())


def what_is_wrong(student: Student) -> str | None:
    """Say why this row can be no account; None if it can."""
    if not ACCOUNT.fullmatch(student.id):
        return "expected a small letter, then at most 31 small letters, digits, - or _ (s1234567 for 1234567)"
    if not student.name:
        return "the name is empty"
    if re.search(r"[:,=\x00-\x1f]", student.name):
        return f"a name cannot hold a colon, a comma or an equals sign: {student.name!r}"
    return None


def run(*command: str, given: str | None = None) -> str:
    """Run a command of the system; `given` is its input, which is never shown."""
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Problem(f"{command[0]} said: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def members(group: str) -> set[str]:
    """Return the accounts of a group."""
    try:
        return set(filter(None, run("getent", "group", group).strip().rpartition(":")[2].split(",")))
    except Problem:
        raise Problem(f"there is no group {group!r}: run install.py first") from None


def make(students: list[Student], group: str, passwords: Path | None) -> str:
    """Make who is missing, fix names and rights, and return one sentence about it."""
    there = {entry.pw_name: entry for entry in pwd.getpwall()}
    ours = members(group)
    foreign = [student.id for student in students if student.id in there and student.id not in ours]
    if foreign:
        raise Problem(f"accounts that are there and not students of this course: {', '.join(foreign)}")
    made = renamed = given = 0
    for student in students:
        if student.id not in there:
            new = ("--create-home", "--shell", "/bin/bash", "--comment", student.name, "--groups", group, student.id)
            run("useradd", *new)
            made += 1
        elif there[student.id].pw_gecos != student.name:
            run("usermod", "--comment", student.name, student.id)
            renamed += 1
        os.chmod(pwd.getpwnam(student.id).pw_dir, 0o700)
        if passwords and run("passwd", "--status", student.id).split()[1] != "P":
            give_password(student.id, passwords)
            given += 1
    kept = len(students) - made - renamed
    return f"{made} made, {renamed} renamed, {kept} there already; {given} given a password"


def give_password(account: str, path: Path) -> None:
    """Write a new password to a file that only its owner reads, and then set it."""
    password = secrets.token_urlsafe(9)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
    with open(descriptor, "a", encoding="utf-8") as file:
        os.fchmod(descriptor, 0o600)
        file.write(f"{account},{password}\n")
    run("chpasswd", given=f"{account}:{password}\n")


def main() -> int:
    """Read the command line and say what became of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("csv", type=Path, help="a file with the columns id and name")
    parser.add_argument("--passwords", type=Path, metavar="FILE", help="give passwords, and write them to this file")
    options = parser.parse_args()
    settings = tomllib.loads(Path(__file__).with_name("hub.toml").read_text(encoding="utf-8"))
    try:
        students = read_class(options.csv)
        if os.geteuid() != 0:
            raise Problem("only root can make accounts")
        print(make(students, f"nbgrader-{settings['course']['id']}", options.passwords))
    except Problem as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
