"""The page and the table of the command ``similarity``: each pair's shares, and both texts side by side."""

from html import escape

from course_grader import pages
from course_grader.similarity import RUN, SHORT, Pair

SHOWN = 60  # pairs whose texts stand on the page

_WARNING = (
    "A hint to read two texts, not a finding; no points change. Right answers to a short task are alike by nature, "
    "and people who learn together write alike."
)


def lines(pairs: list[Pair], left_out: list[tuple[str, str]], count: int, threshold: float) -> list[str]:
    """Return the table for the terminal.

    Args:
        pairs: those from the threshold on.
        left_out: ``(student, sentence)``.
        count: how many works were compared.
        threshold: from which score on a pair is in the list.
    """
    width = max([len(name) for pair in pairs for name in (pair.one.name, pair.other.name)] + [7])
    found = [f"{'score':>5}  {'one':{width}}  {'share':>5}  {'other':{width}}  {'share':>5}"] if pairs else []
    for pair in pairs[:SHOWN]:
        first, second = pair.shares
        found.append(
            f"{pair.score:5.0%}  {pair.one.name:{width}}  {first:5.0%}  {pair.other.name:{width}}  {second:5.0%}"
        )
    found += [f"not compared: {student}: {sentence}" for student, sentence in left_out]
    return [*found, _summary(pairs, count, threshold)]


def _summary(pairs: list[Pair], count: int, threshold: float) -> str:
    more = f"; the first {SHOWN} are shown" if len(pairs) > SHOWN else ""
    return f"{len(pairs)} of {count * (count - 1) // 2} pairs have a score of {threshold:.0%} or more{more}"


def page(assignment: str, pairs: list[Pair], left_out: list[tuple[str, str]], count: int, threshold: float) -> str:
    """Return the page; for the arguments see `lines`."""
    body = [f"<h1>{escape(assignment)}: similarity of {count} works</h1>", f"<p>{_WARNING}</p>"]
    body.append(
        f"<p>{_summary(pairs, count, threshold)}. A share is that part of somebody's own code, in runs of {RUN} "
        "tokens, which the other has too. Names, comments and layout make no difference to it, and the order of "
        "statements little; what was released does not count, nor do tasks whose solution has fewer than "
        f"{SHORT} tokens. The score is the mean of the two shares.</p>"
    )
    rows = [
        [
            pages.Markup(f'<a href="#pair-{number}">{pair.score:.0%}</a>'),
            *(pair.one.name, f"{pair.shares[0]:.0%}", pair.other.name, f"{pair.shares[1]:.0%}"),
        ]
        for number, pair in enumerate(pairs[:SHOWN])
    ]
    body.append(pages.table(["score", "one", "share", "other", "share"], rows, numbers=(0, 2, 4)) if rows else "")
    body += [_texts(number, pair) for number, pair in enumerate(pairs[:SHOWN])]
    if left_out:
        body.append("<h2>Not compared</h2>" + pages.table(["student", "why"], [list(each) for each in left_out]))
    return pages.page(f"{assignment}: similarity", "\n".join(body))


def _texts(number: int, pair: Pair) -> str:
    """Return both texts of a pair, cell by cell; a cell in which nothing is common is left out."""
    common = pair.common()
    identifiers = [each for each in {**pair.one.cells, **pair.other.cells} if any(side.get(each) for side in common)]
    names = f"{escape(pair.one.name)} and {escape(pair.other.name)}"
    parts = [
        f'<details id="pair-{number}"{" open" if number == 0 else ""}><summary>{names}: {pair.score:.0%}</summary>'
    ]
    for identifier in identifiers:
        parts.append(f"<h3>{escape(identifier)}</h3>")
        texts = ""
        for work, places in zip((pair.one, pair.other), common, strict=True):
            code = work.cells.get(identifier)
            text = _marked(code.source, places.get(identifier, [])) if code else "nothing of their own in this cell"
            texts += f'<div><p class="label">{escape(work.name)}</p><pre>{text}</pre></div>'
        parts.append(f'<div class="pair">{texts}</div>')
    return "\n".join([*parts, "</details>"])


def _marked(source: str, places: list[tuple[int, int]]) -> str:
    """Return a text as HTML in which places, given in order, are marked."""
    parts, position = [], 0
    for start, end in places:
        start = max(start, position)
        if start < end:
            parts += [escape(source[position:start]), "<mark>", escape(source[start:end]), "</mark>"]
            position = end
    return "".join([*parts, escape(source[position:])])
