"""The files of the checks that a notebook imports: a corrected one makes the grades of its assignment out of date."""

import ast
import contextlib
import importlib.util
from collections.abc import Iterable
from pathlib import Path


def imported_names(source: str, package: str = "") -> list[list[str]]:
    """Return what a Python source imports.

    Args:
        source: the text; one that is not valid Python imports nothing.
        package: the dotted name of the package in which it stands, for relative imports.

    Returns:
        For each import its dotted names, the longest first: ``from a import b`` may mean the module ``a.b`` or a name
        in ``a``.
    """
    found: list[list[str]] = []
    with contextlib.suppress(SyntaxError, ValueError, RecursionError):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                found += [[alias.name] for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and (package or not node.level):
                above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
                module = ".".join([*above, *([node.module] if node.module else [])])
                if module:
                    found += [[f"{module}.{alias.name}", module] for alias in node.names]
    return found


def check_files(imports: Iterable[list[str]], packages: Iterable[str]) -> dict[str, bytes]:
    """Return the files of check packages on which what a notebook imports depends.

    These are the modules that it names, whole folders where it names a package, what those import in turn, and the
    files at the top of the package, which all share. Folders that nothing of this names are left out.

    Args:
        imports: what the notebook imports, as `imported_names` returns it.
        packages: dotted names of the packages with checks; one that is not installed has no files.

    Returns:
        The content by name, in the order of the names.
    """
    found: dict[str, bytes] = {}
    imports = list(imports)
    for package in packages:
        for root in _places(package):
            _follow(package, root, imports, found)
    return dict(sorted(found.items()))


def _follow(package: str, root: Path, imports: list[list[str]], found: dict[str, bytes]) -> None:
    """Add the files of one package, from the imports of the notebook on."""
    waiting = list(imports)
    seen: set[Path] = set()
    if any(name == package or name.startswith(f"{package}.") for names in imports for name in names):
        top = [root] if root.is_file() else [path for path in root.iterdir() if path.is_file()]
        waiting += _added(package, root, top, seen, found)
    while waiting:
        names = waiting.pop()
        place = next(filter(None, (_place(package, root, name) for name in names)), None)
        if place is not None:
            waiting += _added(package, root, _files_in(place), seen, found)


def _added(
    package: str, root: Path, paths: Iterable[Path], seen: set[Path], found: dict[str, bytes]
) -> list[list[str]]:
    """Note files that are new, and return what they import."""
    imports: list[list[str]] = []
    for path in paths:
        if path in seen or path.suffix == ".pyc":
            continue
        seen.add(path)
        inside = path.relative_to(root).parts if path != root else ()
        content = path.read_bytes()
        found["/".join((package, *inside))] = content
        if path.suffix == ".py":
            imports += imported_names(content.decode("utf-8", errors="replace"), ".".join((package, *inside[:-1])))
    return imports


def _places(package: str) -> list[Path]:
    """Return where a package lies: its folders, or its one file. Nothing of it is run."""
    first, *inside = package.split(".")
    try:
        spec = importlib.util.find_spec(first)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        return []
    folders = [Path(each) for each in spec.submodule_search_locations or ()]
    if not folders:
        return [Path(spec.origin)] if spec.has_location and not inside else []
    return [place for folder in folders if (place := _module(folder, inside)) is not None]


def _place(package: str, root: Path, name: str) -> Path | None:
    """Return the file or folder of a module below a package; the package itself is at hand anyway."""
    if root.is_file() or not name.startswith(f"{package}."):
        return None
    return _module(root, name.removeprefix(f"{package}.").split("."))


def _module(folder: Path, inside: list[str]) -> Path | None:
    place = folder.joinpath(*inside)
    if place.is_dir():
        return place
    file = place.with_name(f"{place.name}.py")
    return file if file.is_file() else None


def _files_in(place: Path) -> list[Path]:
    if place.is_file():
        return [place]
    return [path for path in place.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
