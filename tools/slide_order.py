"""A chapter's built page in the order of its slides: what is shown on each, and what the speaker's notes say.

What a class must see, each figure, formula, table, list, question and short piece of code, has a slide, under the
sentence that leads to it. All prose goes whole into the notes of the slide to which it belongs.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from bs4 import Tag
from slide_parts import Slide, inside, parse, sentences, spoken, things, words

LEFT_OUT = {"Reference solution"}  # solutions
IN_NOTES = {"Sources"}
LONG_RUN = 90  # words of prose before a figure from which on they get a slide of their own
SHOWN = {"text": 480, "lead": 230}  # characters on a slide


@dataclass
class Group:
    """Consecutive prose and things to be shown under one heading."""

    heading: str
    anchor: str
    items: list[Tag | Slide] = field(default_factory=list)


def key_sentence(paragraph: Tag, leads: bool = False) -> Tag:
    """Return the sentence for which a paragraph stands: the one in bold, one that leads on, or the first one."""
    lines = sentences(paragraph)
    bold = [line for line in lines if line.strong and len(words(line)) < SHOWN["lead"]]
    return bold[0] if bold else lines[-1 if leads and words(lines[-1])[-1] in ":?" else 0]


def groups(section: Tag, title: str = "") -> Iterator[Group]:
    """Walk through a section: its own blocks, boxes and folds with something to show, subsections."""
    heading = section.find(["h1", "h2", "h3"], recursive=False)
    title = words(heading) if heading else title
    anchor = section.get("id") or ""
    group = Group(title, anchor)
    for block in section.find_all(recursive=False):
        names = block.get("class") or []
        if block.name in ("h1", "h2", "h3", "section", "span", "script") or "admonition-title" in names:
            continue
        if "toctree-wrapper" in names or "sd-summary-title" in names or block.name == "summary":
            continue
        folded = "sd-dropdown" in names
        if folded or "admonition" in names:
            inner = block.select_one(".sd-summary-content") if folded else block
            label = words(block.select_one(".sd-summary-text") if folded else block.select_one(".admonition-title"))
            found = list(groups(inner, label))
            if folded and not any(isinstance(item, Slide) for part in found for item in part.items):
                text = f"<p><b>Folded in the book: {label}</b></p>{inner.decode_contents()}"
                group.items.append(parse(f"<div>{text}</div>").div)
                continue
            yield group
            for part in found:
                part.anchor = anchor
                yield part
            group = Group(title, anchor)
        else:
            group.items += list(things(block)) or ([block] if "cell" not in names else [])
    yield group
    for inner in section.find_all("section", recursive=False):
        yield from groups(inner)


def is_long(run: list[Tag]) -> bool:
    """Say whether prose is too long for the notes of the figure that follows it."""
    return sum(len(words(part).split()) for part in run) > LONG_RUN


def text_slide(group: Group, run: list[Tag]) -> Slide:
    """Show the sentences for which the paragraphs of a run stand, those in bold first of all."""
    keys = [key_sentence(part) for part in run if part.name == "p"]
    while len(keys) > 1 and (len(keys) > 4 or sum(len(words(key)) for key in keys) > SHOWN["text"]):
        plain = [key for key in keys[1:] if not key.strong] or keys[1:]
        longest = max(plain, key=lambda key: len(words(key)))
        keys = [key for key in keys if key is not longest]
    return Slide(group.heading, group.anchor, "text", shown="".join(map(inside, keys)), notes=list(map(spoken, run)))


def slides_of(group: Group) -> list[Slide]:
    """Arrange what stands under a heading into slides."""
    made: list[Slide] = []
    run: list[Tag] = []
    for item in [*group.items, None]:
        if isinstance(item, Tag):
            run.append(item)
            continue
        if run and made and not (item and len(run) == 1 and words(run[0])[-1] in ":?"):
            made[-1].notes.append(spoken(run.pop(0)))  # what is said of the figure that the class still sees
        first, long = not made, is_long(run)
        leads = [run.pop()] if item and run and (len(run) == 1 or long) else []
        if run and (long or item is None and first):
            made.append(text_slide(group, run))
        elif run and item is None:
            made[-1].notes += map(spoken, run)
        else:
            leads = run + leads
        run = []
        if item is None:
            break
        item.heading, item.anchor = group.heading, group.anchor
        said = [part for part in leads if part.name == "p"]
        keys = [key_sentence(part, leads=True) for part in said[-1:]]
        if first and said and sum(len(words(key)) for key in (sentences(said[0])[0], *keys)) < SHOWN["lead"]:
            keys = [sentences(said[0])[0], *keys]
        shown = {words(key): inside(key) for key in keys if len(words(key)) < SHOWN["lead"]}
        item.lead = list(shown.values())
        item.notes = [*map(spoken, leads), *item.notes]
        made.append(item)
    return made


def read_page(page: str) -> tuple[str, list[list[Slide]]]:
    """Take a built page apart.

    Args:
        page: the HTML of a chapter.

    Returns:
        Its title, and for each of its sections the slides; the first list is that of the goals.

    Raises:
        ValueError: if this is no page of the book.
    """
    text = page.partition('<article class="bd-article">')[2].partition("</article>")[0]
    chapter = parse(text).find("section")
    if chapter is None:
        raise ValueError("page: expected a built chapter, got no article with a section; build the book again")
    title = re.sub(r"^\d+\.\s*", "", words(chapter.h1))
    inner = [part.extract() for part in chapter.find_all("section", recursive=False)]
    columns = [[slide for group in groups(chapter) for slide in slides_of(group)]]
    for section in inner:
        name = words(section.h2)
        if name in LEFT_OUT:
            continue
        if name in IN_NOTES:
            prose = [spoken(part) for part in section.find_all(recursive=False) if part.name != "h2"]
            columns[-1][-1].notes += [f"<p><b>{name}</b></p>", *prose]
            continue
        columns.append([slide for group in groups(section) for slide in slides_of(group)])
    return title, [column for column in columns if column]
