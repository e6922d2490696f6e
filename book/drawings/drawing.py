"""Drawings of models and processes: inline SVG that follows the colours of the page, light or dark.

A `Drawing` collects shapes; Jupyter and the book show it. Colour is meaning: each shape takes the role of what it
stands for (`ROLES`), and formulas and plots of the book use the same colours. A drawing with steps becomes a figure to
step through in the book (``book/_static/live/step-through.js``); elsewhere its last state and all captions are shown.
It is plain text, because six shapes suffice, and a drawing library would bring colours of its own, not the page's.
"""

import json
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape

from drawings.live_figure import LOADER
from transformer_course.common.colours import ROLES

# From what a shape stands for to its colour on white; book/_static/course.css has them for a dark page, too.
_STYLE = (
    ".drawing{display:block;width:100%;height:auto;margin:0 auto;"
    "font-family:var(--pst-font-family-base,sans-serif);--ink:var(--pst-color-text-base,#23252e);"
    "--ground:var(--pst-color-background,#fff)}"
    ".drawing text{fill:var(--ink);paint-order:stroke;stroke:var(--ground);stroke-width:3px;stroke-linejoin:round}"
    ".drawing .in text{stroke:none}.drawing .mono{font-family:ui-monospace,Menlo,Consolas,monospace}"
    ".drawing .shape{stroke-width:1.6;fill-opacity:.16}.drawing .way{fill:none;stroke-width:1.8}"
    ".drawing [data-to]{display:none}.drawing a:hover .shape,.drawing a:focus .shape{fill-opacity:.4}"
    ".drawing-parts{display:flex;justify-content:center}.drawing-parts>svg{width:var(--share);margin:0}"
    "@media (max-width:640px){.drawing-scroll{overflow-x:auto}.drawing-scroll>svg{min-width:calc(.78*var(--wide))}}"
)
# A phone shows the parts of a picture one below the other: what stands this many pixels apart, if it is no row of many
# columns, has words and more than words, and at least this share of the width.
_APART, _MOST, _NARROW = 20, 6, 0.2
_PLACES = re.compile(r' (x|width|points|d|style|text-anchor)="([^"]*)"')
_SYMBOL = re.compile(r"\b([A-Za-z])(?:_(\{[^}]*\}|\w+)|\^(\{[^}]*\}|\w+))")
_LINE = 1.25  # height of a line of text, in font sizes


def _colour(role: str) -> str:
    if role not in ROLES:
        raise ValueError(f"role: expected one of {', '.join(ROLES)}, got {role!r}")
    return f"var(--role-{role},{ROLES[role]})"


def _spans(words: str) -> str:
    """Write a line of text as SVG; ``d_k``, ``h_{t-1}`` and ``K^T`` as in a formula, their letter in italics."""

    def span(match: re.Match) -> str:
        small, down = (match[2], 0.3) if match[2] else (match[3], -0.5)
        return (
            f'<tspan font-style="italic">{match[1]}</tspan><tspan dy="{down}em" font-size=".75em">{small.strip("{}")}'
            f'</tspan><tspan dy="{-down}em" font-size=".75em">\u200b</tspan>'
        )

    if len(words) == 1 and words.isalpha():
        return f'<tspan font-style="italic">{words}</tspan>'
    return _SYMBOL.sub(span, escape(words, quote=False))


def _length(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _span(part: str) -> tuple[float, float]:
    """Estimate where a shape begins and ends, from left to right."""
    edges: list[float] = []
    for attributes in re.findall("<(?:rect|image|path|polygon) ([^>]*)>", part):
        found = dict(_PLACES.findall(f" {attributes}"))
        if "x" in found:
            edges += [float(found["x"]), float(found["x"]) + float(found["width"])]
        else:
            edges += [float(each) for each in re.findall(r"-?[\d.]+", found.get("points") or found["d"])[::2]]
    for attributes, words in re.findall("<text ([^>]*)>(.*?)</text>", part):
        found = dict(_PLACES.findall(f" {attributes}"))
        size = float(re.search(r"font-size:([\d.]+)", found["style"])[1])
        wide = 0.55 * size * len(re.sub("<[^>]*>", "", words))
        left = float(found["x"]) - {"middle": wide / 2, "end": wide}.get(found["text-anchor"], 0)
        edges += [left, left + wide]
    return (min(edges), max(edges)) if edges else (0.0, 0.0)


class Drawing:
    """A picture made of boxes, tensors, grids, arrows and words; x runs to the right and y down, in pixels.

    Args:
        width: at most 640, so that text of 14 pixels can be read on a phone.
        height: of the picture.
        alt: what it shows, for readers who cannot see it.

    Raises:
        ValueError: if it is too wide, or has no alt text.
    """

    def __init__(self, width: int, height: int, alt: str):
        if not 0 < width <= 640:
            raise ValueError(f"width: expected 1 to 640, got {width}")
        if not alt.strip():
            raise ValueError("alt: expected words that say what the picture shows, got none")
        self.width, self.height, self.alt = width, height, " ".join(alt.split())
        self._parts: list[str] = []
        self._captions: list[str] = []
        self._lines: list[int | None] = []
        self._code = ""
        self._open = False

    def _add(self, part: str) -> "Drawing":
        self._parts.append(part)
        return self

    def box(self, x: float, y: float, width: float, height: float, label: str = "", role: str = "plain",
            dashed: bool = False, size: float = 14, bold: bool = False) -> "Drawing":  # fmt: skip
        """Draw a rounded box with its label in the middle; the label may have several lines."""
        return self._shape(x, y, width, height, label, role, dashed, size, bold, 6)

    def _shape(self, x, y, width, height, label, role, dashed, size, bold, round_by) -> "Drawing":
        colour, dash = _colour(role), ' stroke-dasharray="5 4"' if dashed else ""
        self._add(
            f'<rect class="shape" x="{_length(x)}" y="{_length(y)}" width="{_length(width)}" '
            f'height="{_length(height)}" rx="{round_by}" style="fill:{colour};stroke:{colour}"{dash}/>'
        )
        lines = label.split("\n") if label else []
        top = y + height / 2 - (len(lines) - 1) * size * _LINE / 2
        for i, line in enumerate(lines):
            text = self._text(x + width / 2, top + i * size * _LINE, line, size, None, "middle", bold, False)
            self._add(f'<g class="in">{text}</g>')
        return self

    def tensor(self, x: float, y: float, width: float, height: float, label: str = "", rows: str = "",
               columns: str = "", role: str = "plain", size: float = 15) -> "Drawing":  # fmt: skip
        """Draw a matrix: its label inside, the name of its rows' dimension on the left, of its columns' on top."""
        self._shape(x, y, width, height, label, role, False, size, False, 0)
        if rows:
            self._add(self._text(x - 6, y + height / 2, rows, 13, None, "end", False, False))
        if columns:
            self._add(self._text(x + width / 2, y - 10, columns, 13, None, "middle", False, False))
        return self

    def grid(self, x: float, y: float, values: Sequence[Sequence[float | None]], cell: float = 24,
             role: str = "weights", rows: Sequence[str] = (), columns: Sequence[str] = (), numbers: bool = False,
             turned: bool = False) -> "Drawing":  # fmt: skip
        """Draw numbers up to 1 as cells of more or less colour, none below 0; None is a cell that is masked.

        Args:
            x: left edge of the cells; the names of the rows stand left of it.
            y: upper edge; the names of the columns stand above it.
            values: a list for each row.
            cell: width and height of a cell.
            role: its colour.
            rows: names of the rows.
            columns: names of the columns.
            numbers: write each number into its cell, with two digits, a smaller one as <.01.
            turned: turn the names of the columns, where they are longer than a cell.
        """
        colour, masked = _colour(role), _colour("masked")
        for i, row in enumerate(values):
            for j, value in enumerate(row):
                left, top = x + j * cell, y + i * cell
                place = f'x="{_length(left)}" y="{_length(top)}" width="{_length(cell)}" height="{_length(cell)}"'
                if value is None:
                    self._add(f'<rect {place} style="fill:none;stroke:{masked};stroke-width:.8"/>')
                    a, b = _length(left + 0.25 * cell), _length(left + 0.75 * cell)
                    c, d = _length(top + 0.25 * cell), _length(top + 0.75 * cell)
                    self._add(f'<path class="way" style="stroke:{masked}" d="M{a} {c}L{b} {d}M{b} {c}L{a} {d}"/>')
                    continue
                deep = f"fill:{colour};fill-opacity:{0.85 * max(value, 0):.2f};stroke:{colour};stroke-width:.8"
                self._add(f'<rect {place} style="{deep}"/>')
                if numbers:
                    digits = "<.01" if 0 < value < 0.005 else f"{value:.2f}".lstrip("0").replace("-0.", "−.")
                    words = self._text(left + cell / 2, top + cell / 2, digits, 13, None, "middle", False, False)
                    # Ink on a dark cell cannot be read, neither on a light page nor on a dark one.
                    self._add(
                        words.replace('style="', 'style="fill:var(--ground);stroke:none;') if value > 0.6 else words
                    )
        for i, name in enumerate(rows):
            self._add(self._text(x - 6, y + (i + 0.5) * cell, name, 13, None, "end", False, False))
        for j, name in enumerate(columns):
            middle = x + (j + 0.5) * cell
            text = self._text(middle, y - 10, name, 13, None, "start" if turned else "middle", False, False)
            turn = f'<g transform="rotate(-45 {_length(middle)} {_length(y - 10)})">{text}</g>'
            self._add(turn if turned else text)
        return self

    def picture(self, x: float, y: float, width: float, address: str) -> "Drawing":
        """Show a square picture of pixels; its address is that of a file, or holds it (``pixels.png_address``)."""
        place = f'x="{_length(x)}" y="{_length(y)}" width="{_length(width)}" height="{_length(width)}"'
        return self._add(f'<image {place} href="{escape(address)}" style="image-rendering:pixelated"/>')

    def line(self, x1: float, y1: float, x2: float, y2: float, role: str = "plain", bend: float = 0,
             dashed: bool = False, label: str = "", width: float = 1.8) -> "Drawing":  # fmt: skip
        """Draw a line; see `arrow`."""
        return self._way(x1, y1, x2, y2, role, bend, dashed, label, width, head=False)

    def arrow(self, x1: float, y1: float, x2: float, y2: float, role: str = "plain", bend: float = 0,
              dashed: bool = False, label: str = "", width: float = 1.8) -> "Drawing":  # fmt: skip
        """Draw an arrow; ``bend`` is how many pixels it swings out to its left, ``label`` stands beside its middle."""
        return self._way(x1, y1, x2, y2, role, bend, dashed, label, width, head=True)

    def _way(self, x1, y1, x2, y2, role, bend, dashed, label, width, head) -> "Drawing":
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        across = ((y2 - y1) / length, -(x2 - x1) / length)  # to the left of who walks along it
        middle = ((x1 + x2) / 2 + 2 * bend * across[0], (y1 + y2) / 2 + 2 * bend * across[1])
        end, colour = (x2, y2), _colour(role)
        if head:
            dx, dy = x2 - (middle[0] if bend else x1), y2 - (middle[1] if bend else y1)
            norm = math.hypot(dx, dy) or 1.0
            dx, dy = dx / norm, dy / norm
            end = (x2 - 7 * dx, y2 - 7 * dy)
            points = ((x2, y2), (x2 - 9 * dx - 4.5 * dy, y2 - 9 * dy + 4.5 * dx),
                      (x2 - 9 * dx + 4.5 * dy, y2 - 9 * dy - 4.5 * dx))  # fmt: skip
            joined = " ".join(f"{_length(px)},{_length(py)}" for px, py in points)
            self._add(f'<polygon points="{joined}" style="fill:{colour}"/>')
        curve = f"Q{_length(middle[0])} {_length(middle[1])} " if bend else "L"
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self._add(
            f'<path class="way" style="stroke:{colour};stroke-width:{width}"{dash} '
            f'd="M{_length(x1)} {_length(y1)}{curve}{_length(end[0])} {_length(end[1])}"/>'
        )
        if label:
            away = bend + math.copysign(10, bend)
            place = (x1 + x2) / 2 + away * across[0], (y1 + y2) / 2 + away * across[1]
            self._add(self._text(*place, label, 13, None, "middle", False, False))
        return self

    def text(self, x: float, y: float, words: str, size: float = 14, role: str | None = None, anchor: str = "middle",
             bold: bool = False, code: bool = False) -> "Drawing":  # fmt: skip
        """Write words, their middle at height y; ``d_k`` gets a subscript. Anchor: start, middle or end."""
        return self._add(self._text(x, y, words, size, role, anchor, bold, code))

    def _text(self, x, y, words, size, role, anchor, bold, code) -> str:
        colour = f";fill:{_colour(role)}" if role else ""
        weight, face = ' font-weight="600"' if bold else "", ' class="mono"' if code else ""
        content = escape(words, quote=False) if code else _spans(words)
        return (
            f'<text x="{_length(x)}" y="{_length(y)}" dy=".35em" text-anchor="{anchor}"'
            f'{weight}{face} style="font-size:{_length(size)}px{colour}">{content}</text>'
        )

    def code(self, lines: str) -> "Drawing":
        """Show code beside a drawing with steps; each step lights up its line."""
        self._code = lines.strip("\n")
        return self

    def step(self, caption: str, line: int | None = None) -> "Drawing":
        """Begin a step: what is drawn from here on appears with it, and stays.

        Args:
            caption: what happens in this step, one or two sentences.
            line: the line of `code` that does it, counted from 1.
        """
        self._close()
        self._captions.append(caption)
        self._lines.append(line)
        self._open = True
        return self._add(f'<g data-from="{len(self._captions)}">')

    def only(self) -> "Drawing":
        """Let what is drawn from here on, up to the next step, be shown in this step alone."""
        if not self._captions:
            raise ValueError("only: expected a step before it, got none")
        self._close()
        self._open = True
        now = len(self._captions)
        return self._add(f'<g data-from="{now}" data-to="{now}">')

    def _close(self) -> None:
        if self._open:
            self._parts.append("</g>")
            self._open = False

    @contextmanager
    def link(self, address: str) -> Iterator[None]:
        """Let what is drawn inside the ``with`` lead to an address; its words are the name of the link."""
        self._add(f'<a href="{escape(address)}">')
        yield
        self._add("</a>")

    def _apart(self) -> list[tuple[float, float, str]]:
        """Tell the parts that stand side by side with nothing between them: their left and right edge, and shapes."""
        groups: list[tuple[float, float, list[int]]] = []
        for left, right, place in sorted((*_span(part), place) for place, part in enumerate(self._parts)):
            if groups and left < groups[-1][1] + _APART:
                first, last, places = groups.pop()
                groups.append((first, max(last, right), [*places, place]))
            else:
                groups.append((left, right, [place]))
        if len(groups) > _MOST:
            return []
        parts = [(0.0, groups[0][1], groups[0][2])]
        for left, right, places in groups[1:]:
            first, last, before = parts[-1]
            shapes = [all("<text" in self._parts[i] and "<rect" not in self._parts[i] for i in each)
                      for each in (before, places)]  # fmt: skip
            if any(shapes) or min(last - first, right - left) < _NARROW * self.width:
                parts[-1] = first, right, before + places
            else:
                edge = (last + left) / 2
                parts[-1] = first, edge, before
                parts.append((edge, right, places))
        parts[-1] = parts[-1][0], float(self.width), parts[-1][2]
        found = [(left, right, "".join(self._parts[i] for i in sorted(places))) for left, right, places in parts]
        return found if all("<text" in shapes for _, _, shapes in found) else []

    def svg(self) -> str:
        """Return the picture as SVG; a phone shows its parts one below the other, or lets a wide one scroll."""
        narrow = not self._captions and self.width > 480 and not any("<a " in part for part in self._parts)
        parts = self._apart() if narrow else []
        if len(parts) > 1 and all(right - left <= 480 for left, right, _ in parts):
            style = f"<style>{_STYLE.partition('@media')[0]}</style>"  # a phone stacks them, says course.css
            inside = "".join(
                f'<svg class="drawing" viewBox="{_length(left)} 0 {_length(right - left)} {self.height}" '
                f'style="max-width:{_length(right - left)}px;--share:{100 * (right - left) / self.width:.3f}%" '
                f'aria-hidden="true">{style if left == 0 else ""}{shapes}</svg>'
                for left, right, shapes in parts
            )
            return f'<div class="drawing-parts" role="img" aria-label="{escape(self.alt)}">{inside}</div>'
        close = "</g>" if self._open else ""
        role = "group" if any(part.startswith("<a ") for part in self._parts) else "img"
        picture = (
            f'<svg class="drawing" viewBox="0 0 {self.width} {self.height}" role="{role}" '
            f'aria-label="{escape(self.alt)}" style="max-width:{self.width}px;--wide:{self.width}px">'
            f"<style>{_STYLE}</style>"
            f"{''.join(self._parts)}{close}</svg>"
        )
        if self.width <= 480:
            return picture
        return f'<div class="drawing-scroll" tabindex="0" role="group" aria-label="picture">{picture}</div>'

    def __repr__(self) -> str:
        return "\n".join([self.alt, *self._captions])

    def _repr_html_(self) -> str:
        if not self._captions:
            return self.svg()
        code = f"<pre>{escape(self._code)}</pre>" if self._code else ""
        captions = "".join(f"<li>{escape(caption)}</li>" for caption in self._captions)
        data = json.dumps({"title": "Step by step", "lines": self._lines})
        return (
            f'<step-through>{self.svg()}{code}<ol>{captions}</ol><script type="application/json">{data}</script>'
            f"</step-through>{LOADER}"
        )
