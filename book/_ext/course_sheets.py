"""One style sheet in the place of a dozen: a page is painted when the last of them has come.

The theme and the extensions link a file each, and one of them imports another. When the book is built they are joined
in their order, with the addresses in them set right, and every page links the result.
"""

import re
from pathlib import Path
from posixpath import normpath, relpath
from zlib import crc32

from sphinx.application import Sphinx

JOINED = "course-all.css"
LINK = re.compile(r'[ \t]*<link(?=[^>]*\brel="stylesheet")[^>]*\bhref="(?P<address>[^"]*)"[^>]*>\n?')
IMPORT = re.compile(r"@import\s+(?:url\()?[\"']?(?P<address>[^\"')]+)[\"']?\)?\s*;")
ADDRESS = re.compile(r"url\(\s*[\"']?(?!data:|#|[a-z]+://)(?P<address>[^\"')]+)[\"']?\s*\)")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# The two faces of the first screen come together with the sheet, so that no line moves. A browser does not allow it to
# a page that was opened as a file.
FACES = """<script>
  if (location.protocol !== "file:") for (const face of ["400", "600"]) {
    const href = `STATIC/fonts/source-serif-4-latin-${face}-normal.woff2`;
    const link = { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "", href };
    document.head.append(Object.assign(document.createElement("link"), link));
  }
</script>
"""


def joined(static: Path, names: list[str]) -> str:
    """Join style sheets.

    Args:
        static: the folder of the result, to which all addresses are made relative.
        names: the sheets in their order, relative to it.

    Returns:
        Their rules, those of imported sheets in the place of the import.
    """

    def rules(name: str) -> str:
        folder = str(Path(name).parent)

        def here(address: str) -> str:
            path, mark, rest = re.match(r"([^?#]*)([?#]?)(.*)", address).groups()
            return normpath(f"{folder}/{path}") + mark + rest

        css = COMMENT.sub("", static.joinpath(name).read_text("utf8")).replace('@charset "utf-8";', "")
        css = ADDRESS.sub(lambda match: f'url("{here(match["address"])}")', css)
        return IMPORT.sub(lambda match: rules(here(match["address"])), css).strip() + "\n"

    return "".join(map(rules, names))


def sheets_of(page: str, above: str) -> list[re.Match]:
    """Find the links of a page to style sheets of the folder `above`."""
    return [link for link in LINK.finditer(page) if link["address"].startswith(f"{above}/")]


def _write(static: Path, names: list[str]) -> int:
    """Write the joined sheet, with the names in its first line, and return its check sum."""
    css = f"/* {' '.join(names)} */\n{joined(static, names)}"
    static.joinpath(JOINED).write_text(css, "utf8")
    return crc32(css.encode())


def _join(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.name != "html":
        return
    book = Path(app.outdir)
    static, names, version = book / "_static", [], 0
    if static.joinpath(JOINED).is_file():  # of a build before; perhaps no page was written anew, but a sheet was
        _write(static, static.joinpath(JOINED).read_text("utf8").split(" */")[0].split()[1:])
    for path in sorted(book.rglob("*.html")):
        if {"_static", "_sources"} & set(path.relative_to(book).parts):
            continue
        page, above = path.read_text("utf8"), relpath(static, path.parent)
        links = sheets_of(page, above)
        linked = [link["address"].removeprefix(f"{above}/").partition("?")[0] for link in links]
        if not links or linked == [JOINED]:  # the first page has no sheet; one that was not written anew is done
            continue
        if linked != names:  # all pages link the same
            names, version = linked, _write(static, linked)
        for link in reversed(links[1:]):
            page = page[: link.start()] + page[link.end() :]
        one = f'<link href="{above}/{JOINED}?v={version:08x}" rel="stylesheet">\n'
        path.write_text(page.replace(links[0][0], FACES.replace("STATIC", above) + one, 1), "utf8")


def setup(app: Sphinx) -> dict:
    """Connect to Sphinx, after everything that changes a style sheet."""
    app.connect("build-finished", _join, priority=950)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
