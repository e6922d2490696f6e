"""The commands of the Makefile where there is no make: `py tools/make.py book` on Windows does what `make book` does.

    python tools/make.py                 list the commands
    python tools/make.py test unit=04    variables as with make
    python tools/make.py -n lab          only print what would be run

It reads the Makefile, so that no command stands in two places, and understands what stands there: variables,
`$(if ...)`, `$(abspath ...)`, files that are older than what they are made from. A recipe calls one program a line,
without a shell; `touch`, `rm -rf` and `echo` are done here. Anything else is refused with its line.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WINDOWS = os.name == "nt"
_ASSIGNMENT = re.compile(r"([A-Za-z_]+) *(:=|\?=) *(.*)")
_RULE = re.compile(r"([^\s:=#][^:=#]*):(?!=)([^#]*)(?:## *(.*))?")
_INNERMOST = re.compile(r"\$\(([^()$]*)\)")


class MakeError(Exception):
    """The Makefile holds what this program does not understand, or a command fails."""


@dataclass
class Rule:
    """How a target is made."""

    needs: list[str]
    help: str
    recipe: list[str] = field(default_factory=list)


class Makefile:
    """The variables and rules of a Makefile.

    Args:
        text: what stands in it.
        given: variables from the command line; they win over those in the file.
        folder: what relative paths start from.
    """

    def __init__(self, text: str, given: dict[str, str], folder: Path):
        self.folder = folder
        self.rules: dict[str, Rule] = {}
        self.phony: set[str] = set()
        self._variables = dict(given)
        self._fixed = set(given)
        if "PYTHON" not in os.environ:
            self._variables.setdefault("PYTHON", Path(sys.executable).as_posix())
        if WINDOWS:  # where a virtual environment keeps its programs
            self._variables["BIN"] = "$(VENV)/Scripts"
            self._fixed.add("BIN")
        rule = None
        for line in text.splitlines():
            if line.startswith("\t") and rule:
                rule.recipe.append(line.strip())
            elif line.startswith(("#", "export ", ".DEFAULT_GOAL ")) or not line.strip():
                continue  # `run` sets PATH, with the separator of the system; `main` knows the default
            elif assigned := _ASSIGNMENT.fullmatch(line):
                self._assign(*assigned.groups())
            elif found := _RULE.fullmatch(line):
                rule = self._rule(*(part or "" for part in found.groups()))
            else:
                raise MakeError(f"Makefile: cannot read {line!r}")

    def _assign(self, name: str, sign: str, value: str) -> None:
        if name not in self._fixed and not (sign == "?=" and (name in self._variables or name in os.environ)):
            self._variables[name] = value

    def _rule(self, targets: str, needs: str, help: str) -> Rule | None:
        if targets == ".PHONY":
            self.phony.update(needs.split())
        if targets.startswith("."):
            return None
        rule = Rule(self.expand(needs).split(), help)
        self.rules.update(dict.fromkeys(self.expand(targets).split(), rule))
        return rule

    def expand(self, text: str, target: str = "") -> str:
        """Put in what `$(...)` and `$@` stand for.

        Raises:
            MakeError: for a function that is not known here.
        """
        text = text.replace("$@", target)
        while (new := _INNERMOST.sub(self._value, text)) != text:
            text = new
        if "$" in text:
            raise MakeError(f"Makefile: cannot read {text!r}")
        return text

    def _value(self, match: re.Match) -> str:
        name, _, rest = match[1].partition(" ")
        if not rest:
            return self._variables.get(name, os.environ.get(name, ""))
        if name == "abspath":
            return (self.folder / rest).as_posix()
        if name == "if":
            condition, yes, no = [*rest.split(",", 2), "", ""][:3]
            return yes if condition.strip() else no
        raise MakeError(f"Makefile: cannot read $({match[1]})")

    def commands(self, target: str) -> list[str]:
        """List what is to be run for a target and all that it needs, in order; what is up to date is left out.

        Raises:
            MakeError: if there is no rule for something that does not exist.
        """
        lines: list[str] = []
        self._add(target, lines, {})
        return lines

    def _add(self, target: str, lines: list[str], seen: dict[str, bool]) -> bool:
        """Add what makes a target; return whether it is made anew."""
        if target in seen:
            return seen[target]
        path, rule = self.folder / target, self.rules.get(target)
        if rule is None:
            if not path.exists():
                raise MakeError(f"there is no command {target!r}; `python tools/make.py` lists them")
            return False
        seen[target] = True
        anew = [self._add(need, lines, seen) for need in rule.needs]
        if target not in self.phony and path.exists() and not any(anew):
            times = [(self.folder / need).stat().st_mtime for need in rule.needs]
            seen[target] = max(times, default=0) > path.stat().st_mtime
        if seen[target]:
            lines += [line for each in rule.recipe if (line := self.expand(each, target))]
        return seen[target]

    def run(self, line: str) -> int:
        """Run one line of a recipe and return its exit code.

        Raises:
            MakeError: if the line needs a shell, or its program is not there.
        """
        words = split(line.removeprefix("@"))
        environment = dict(os.environ)
        environment["PATH"] = os.pathsep.join([str(self.folder / self.expand("$(BIN)")), environment.get("PATH", "")])
        while "=" in words[0]:
            name, _, environment[name] = words.pop(0).partition("=")
        if not line.startswith("@"):
            print(line, flush=True)
        match words:
            case ["echo", *texts]:
                print(*texts, flush=True)
            case ["touch", *files]:
                for name in files:
                    (self.folder / name).touch()
            case ["rm", "-rf", *names]:
                for path in (self.folder / name for name in names):
                    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
            case [name, *arguments]:
                # Windows would look for the program along its own PATH, not along the one that is handed over.
                local = str(self.folder / name) if "/" in name else name
                program = shutil.which(local, path=environment["PATH"])
                if program is None:
                    raise MakeError(f"there is no program {name!r}, which is called by: {line}")
                return subprocess.run([program, *arguments], cwd=self.folder, env=environment, check=False).returncode
        return 0


def split(line: str) -> list[str]:
    """Split a line of a recipe into words.

    Raises:
        MakeError: if only a shell could run it.
    """
    shell = "();<>|&`"
    if "\\" in line or any(set(word) <= set(shell) for word in shlex.shlex(line, posix=True, punctuation_chars=shell)):
        raise MakeError(f"only a shell can run this line of the Makefile, so Windows cannot; call a program: {line}")
    return shlex.split(line)


def main(arguments: list[str] | None = None) -> int:
    """Run some commands, one after the other; the exit code is that of the first that fails."""
    parser = argparse.ArgumentParser(prog="make.py", description="Run commands of the Makefile without make.")
    parser.add_argument("commands", nargs="*", metavar="COMMAND or name=value", default=["help"])
    parser.add_argument("-n", "--dry-run", action="store_true", help="only print what would be run")
    parser.add_argument("--list", action="store_true", help="list the commands")
    options = parser.parse_args(arguments)
    given = dict(word.split("=", 1) for word in options.commands if "=" in word)
    try:
        makefile = Makefile((ROOT / "Makefile").read_text(encoding="utf-8"), given, ROOT)
        if options.list:
            print("\n".join(f"{name:<14}{rule.help}" for name, rule in makefile.rules.items() if rule.help))
            return 0
        for command in [word for word in options.commands if "=" not in word] or ["help"]:
            for line in makefile.commands(command):
                if options.dry_run:
                    print(line.removeprefix("@"))
                elif code := makefile.run(line):
                    print(f"make.py: {command}: exit code {code} of: {line}", file=sys.stderr)
                    return code
    except MakeError as error:
        print(f"make.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
