"""What a block of a chapter's built page shows on a slide: a figure, formula, table, list, question, piece of code.

Prose shows nothing; slide_order.py puts it into the notes, and chooses the sentences that are seen.
The book is written one sentence a line, and a built page keeps the lines.
"""

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field

from bs4 import BeautifulSoup, NavigableString, Tag

SLIDE_OF_CODE = 17  # lines; longer code is cut between its functions
LONGEST_CODE = 26  # lines; a function that is longer is read on the page
LONGEST_LIST = 560  # characters on a slide


@dataclass
class Slide:
    """A slide: kind and HTML of what is shown, the sentences above it, and the notes, all HTML."""

    heading: str
    anchor: str
    kind: str = "text"
    lead: list[str] = field(default_factory=list)
    shown: str = ""
    notes: list[str] = field(default_factory=list)


def parse(text: str) -> Tag:
    """Return a piece of HTML as a tree."""
    return BeautifulSoup(text, "html.parser")


def inside(tag: Tag) -> str:
    """Return a tag as HTML without links, anchors and scripts: nothing of it leads away from a slide."""
    tag = copy.copy(tag)
    for part in tag.select(".headerlink, script"):
        part.decompose()
    for part in [tag, *tag.find_all(True)]:
        drawn = part.name == "svg" or part.find_parent("svg")
        if part.name == "a":
            part.name, part.attrs = "g" if drawn else "span", {}
        if not drawn:
            for name in ("id", "for", "tabindex", "aria-describedby", "aria-labelledby"):
                part.attrs.pop(name, None)
    return str(tag)


def spoken(tag: Tag) -> str:
    """Return a tag for the notes, where formulas are MathML: the speaker's window has no style sheet of ours."""
    tag = parse(inside(tag))
    for formula in tag.select(".katex"):
        formula.replace_with(formula.math)
    for part in tag.select("annotation, figure > *:not(figcaption)"):
        part.decompose()
    return str(tag)


def words(tag: Tag) -> str:
    """Return the words of a tag, each formula once."""
    tag = copy.copy(tag)
    for part in tag.select(".katex-mathml, .headerlink"):
        part.decompose()
    return " ".join(tag.get_text().split())


def sentences(paragraph: Tag) -> list[Tag]:
    """Split a paragraph into its lines, each of them a sentence."""
    found = [parse("<p></p>").p]
    for child in paragraph.children:
        lines = str(child).split("\n") if isinstance(child, NavigableString) else [None]
        if lines == [None]:
            found[-1].append(copy.copy(child))
            continue
        for i, line in enumerate(lines):
            if i:
                found.append(parse("<p></p>").p)
            found[-1].append(NavigableString(line))
    return [sentence for sentence in found if words(sentence)]


def chunks(rows: list, size: int, weigh) -> list[list]:
    """Cut rows into as few runs as keep to a size, of about the same weight."""
    total = sum(map(weigh, rows))
    count = max(1, -(-total // size))
    found: list[list] = [[]]
    for row in rows:
        if found[-1] and sum(map(weigh, found[-1])) + weigh(row) / 2 > total / count and len(found) < count:
            found.append([])
        found[-1].append(row)
    return found


def lists(block: Tag) -> Iterator[Slide]:
    """Cut a list into slides of a readable length."""
    rows, start = block.find_all(recursive=False), 1
    if block.name == "dl":
        pairs = [(term, term.find_next_sibling("dd")) for term in block.find_all("dt", recursive=False)]
        rows = [parse(f"<li><strong>{a.decode_contents()}</strong> {b.decode_contents()}</li>").li for a, b in pairs]
    for run in chunks(rows, LONGEST_LIST, lambda row: len(words(row))):
        tag = "ol" if block.name == "ol" else "ul"
        yield Slide("", "", "list", shown=f'<{tag} start="{start}">{"".join(map(inside, run))}</{tag}>')
        start += len(run)


def tables(table: Tag) -> Iterator[Slide]:
    """Cut a table into slides, each with its head."""
    head, caption = table.thead, table.caption
    top = (inside(caption) if caption else "") + (inside(head) if head else "")
    for run in chunks(table.find_all("tr") if not head else table.tbody.find_all("tr"), 14, lambda row: 1):
        rows = "".join(map(inside, run))
        dense = ' class="dense"' if len(run) > 6 else ""
        yield Slide("", "", "table", shown=f"<table{dense}>{top}<tbody>{rows}</tbody></table>")


def figure(tag: Tag) -> Slide:
    """Show a figure with the first sentence of its caption; steps come one after the other."""
    caption = tag.figcaption
    text = caption.select_one(".caption-text") if caption else None
    number = caption.select_one(".caption-number") if caption else None
    first = sentences(text)[0].decode_contents() if text else ""
    line = f'<p class="caption"><b>{number.get_text() if number else ""}</b>{inside(parse(first))}</p>' if first else ""
    picture = copy.copy(tag.select_one(".drawing-parts") or tag.find("svg") or tag.find("img"))
    if steps := tag.find("step-through"):
        said = [item.decode_contents() for item in steps.select("ol > li")]
        items = "".join(
            f'<li class="{"fragment " if i else ""}step" {f"data-fragment-index={i}" if i else ""}>{item}</li>'
            for i, item in enumerate(said)
        )
        line = f'<ol class="steps">{items}</ol>'
    code = f"<pre>{steps.pre.get_text()}</pre>" if steps and steps.pre else ""
    boxes = [each.get("viewbox", "0 0 1 1").split() for each in picture.select("svg") or [picture]]
    width, height = sum(float(box[2]) for box in boxes), float(boxes[0][3])
    drawn = "drawn wide" if width > 2 * height else "drawn"  # a wide one has the code below it
    shown = f'<div class="{drawn}"><div class="picture">{inside(picture)}</div>{code}</div>{line}'
    return Slide("", "", "steps" if steps else "figure", shown=shown, notes=[spoken(caption)] if caption else [])


def quiz(tag: Tag) -> Slide:
    """Ask a question; the right choice and why come next, what is said to the others stands in the notes."""
    question = copy.copy(tag.select_one(".question"))
    question.select_one(".number").decompose()
    rows, answer, notes = "", "", []
    for choice in tag.select(".choice"):
        label, reply = copy.copy(choice.label), copy.copy(choice.select_one(".answer"))
        letter = label.select_one(".letter").extract().get_text()
        reply.select_one(".verdict").decompose()
        mark = ""
        if "right" in choice["class"]:
            mark = ' class="right fragment custom" data-fragment-index="1"'
            why = parse(inside(reply)).div.decode_contents()
            answer = f'<div class="answer fragment" data-fragment-index="1">{why}</div>'
        rows += f"<li{mark}>{inside(label)}</li>"
        notes.append(f"<p><b>{letter}{', right' if mark else ''}</b></p>{spoken(reply)}")
    shown = f'{inside(question)}<ol type="a">{rows}</ol>{answer}'
    return Slide("", "", "quiz", shown=shown, notes=notes)


def functions(lines: list[Tag]) -> list[list[Tag]]:
    """Cut lines of code where a blank one stands before one that begins at the margin."""
    found: list[list[Tag]] = [[]]
    for before, line in zip([None, *lines], lines, strict=False):
        if before and not before.get_text().strip() and not line.get_text().startswith((" ", ")", "\n")):
            found.append([])
        found[-1].append(line)
    return found


def code(tag: Tag) -> list[tuple[int, str]]:
    """Return a piece of code or of its output, cut where it is too long: number of lines and HTML of each part."""
    lines = tag.find("pre").find_all(class_="line")
    parts = functions(lines) if len(lines) > SLIDE_OF_CODE else [lines]
    made = []
    for run in chunks(parts, SLIDE_OF_CODE, len):
        shown = [line for part in run for line in part]
        while shown and not shown[-1].get_text().strip():
            shown.pop()
        made.append((len(shown), f'<div class="highlight"><pre>{"".join(map(inside, shown))}</pre></div>'))
    return made


def cell(tag: Tag) -> Iterator[Slide]:
    """Show the code of a cell that the page shows unfolded, and every output."""
    box = tag.find(class_="cell_input", recursive=False)
    parts = code(box) if box else []
    shown = [Slide("", "", "code", shown=text) for _, text in parts]
    if any(length > LONGEST_CODE for length, _ in parts):
        count = sum(length for length, _ in parts)
        shown = [Slide("", "", "link", shown=f"<p>{count} lines of code, to be read in the book</p>")]
    for output in tag.select(".cell_output > *"):
        if shown and shown[-1].kind == "code" and "highlight-myst-ansi" in output["class"]:
            [(lines, text), *more] = code(output)
            if not more and lines + parts[-1][0] < LONGEST_CODE - 2:
                shown[-1].shown += f'<div class="printed">{text}</div>'
                continue
        shown += things(output)
    yield from shown


def things(block: Tag) -> Iterator[Slide]:
    """Return what a block of the page has to show; nothing if it is prose."""
    names = block.get("class") or []
    inner = (part for part in [block, *block.find_all(True)] if "-" in part.name and part.name != "step-through")
    live = next(inner, None)
    if "cell" in names:
        if "tag_hide-cell" not in names:
            yield from cell(block)
    elif block.name == "figure":
        yield figure(block)
    elif live and block.name != "p":
        yield Slide("", "", "live", shown=str(live))
    elif block.name in ("ul", "ol", "dl"):
        yield from lists(block)
    elif table := block if block.name == "table" else block.find("table"):
        yield from tables(table)
    elif block.name == "fieldset":
        yield quiz(block)
    elif "math" in names:
        yield Slide("", "", "formula", shown=inside(block))
    elif block.find("pre"):
        yield from (Slide("", "", "code", shown=text) for _, text in code(block))
    elif block.name == "blockquote":
        yield Slide("", "", "quote", shown=inside(block))
