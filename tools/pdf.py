"""The book as one PDF: contents with page numbers, bookmarks, and links that lead to pages of the file.

python tools/pdf.py    after `make book`; writes _build/attention.pdf (needs Chromium, as the tests of the pages do)

The chapters and the pages around them are taken from the built book, put behind one another and printed by the browser
without scripts, so that formulas, figures and code are those of the page. Exercises are notebooks and stay outside.
The first printing finds on which page each chapter begins, the second one has the numbers in its contents.
"""

import html
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import chromium
import yaml
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, sync_playwright
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DictionaryObject, NameObject, TextStringObject

ROOT = Path(__file__).parents[1]
LEFT_OUT = ("book/api", "book/validity")  # long tables to look things up in, for the screen
POINTS_AT = re.compile(r'\b(id|for|name|aria-labelledby|aria-describedby)="([^"]+)"')
STYLE = """
@page { size: A4; margin: 18mm 17mm 20mm; }
body { background: white; font-size: 10.5pt; }
section.chapter, section.printed { break-before: page; }
section.printed li { display: flex; justify-content: space-between; margin: 0.2em 0; list-style: none; }
section.printed .part { margin-top: 1em; font-weight: bold; }
details > summary { list-style: none; }
figure, svg, img, table, .admonition { break-inside: avoid; max-width: 100%; }
h1, h2, h3 { break-after: avoid; }
"""
DOCUMENT = """<!DOCTYPE html><html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8">
<title>Attention, from RNN to Transformer</title>{styles}<style>{style}</style></head><body><main class="bd-main">
<div class="bd-content"><div class="bd-article-container"><article class="bd-article">{first}{contents}{rest}</article>
</div></div></main></body></html>"""
FOOTER = '<div style="width:100%;text-align:center;font-size:8pt"><span class="pageNumber"></span></div>'
TIMEOUT = 300_000  # ms; sixteen chapters are one long page


def chapters(toc: dict) -> list[tuple[str, str]]:
    """Return the pages of the book in their order, each as the caption of its part and its name."""
    found = [("", toc["root"])]
    for part in toc["parts"]:
        found += [(part["caption"], chapter["file"]) for chapter in part["chapters"]]
    return [(caption, name) for caption, name in found if name.startswith("book/") and name not in LEFT_OUT]


def body(page: str, name: str, printed: set[str]) -> str:
    """Return what stands in a page, with its anchors renamed so that no other page has the same.

    Args:
        page: a built page.
        name: its name, such as ``book/06_masking``.
        printed: names of all pages of the file; links to other pages lose their target.
    """
    text = page.split('<article class="bd-article">', 1)[1].split("</article>", 1)[0]
    text = re.sub(r"<script\b.*?</script>", "", text, flags=re.DOTALL)
    slug = Path(name).name
    text = POINTS_AT.sub(rf'\1="{slug}--\2"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{slug}--\1)", text)
    text = text.replace("<br", " <br")  # otherwise titles run words together
    text = re.sub(r"<details(?![^>]*\bopen\b)(?![^>]*\bhide\b)", "<details open", text)  # folded cells stay folded

    def target(match: re.Match) -> str:
        address, anchor = match[1], match[2] or ""
        if re.match(r"[a-z]+:", address):
            return match[0]
        if not address:
            return f'href="#{slug}--{anchor[1:]}"'
        page = Path(address).stem
        if f"book/{page}" not in printed:
            return ""
        return f'href="#{page}--{anchor[1:]}"' if anchor else f'href="#{page}"'

    text = re.sub(r'href="([^"#]*)(#[^"]*)?"', target, text)
    return f'<section class="chapter" id="{slug}">{text}</section>'


def title_of(page: str) -> str:
    """Return the title of a page with its number, without marks."""
    heading = re.search(r"<h1>(.*?)(<a class=\"headerlink\"|</h1>)", page, re.DOTALL)[1]
    return html.unescape(re.sub(r"<[^>]+>", "", heading)).strip()


def contents(entries: list[tuple[str, str, str]], numbers: dict[str, int]) -> str:
    """Return the contents: caption of the part, name and title of each page, with the number of its first page."""
    rows, last = [], ""
    for caption, name, title in entries:
        if caption != last:
            rows.append(f'<li class="part">{html.escape(caption)}</li>')
            last = caption
        slug = Path(name).name
        rows.append(f'<li><a href="#{slug}">{html.escape(title)}</a><span>{numbers.get(slug, "000")}</span></li>')
    return f'<section class="printed"><h1>Contents</h1><ul>{"".join(rows)}</ul></section>'


def first_pages(file: Path) -> dict[str, int]:
    """Return the number of the page to which each chapter's anchor leads."""
    reader = PdfReader(file)
    found = {}
    for name, place in reader.named_destinations.items():
        number = reader.get_destination_page_number(place)
        if "--" not in name and number is not None:
            found[name.lstrip("/")] = number + 1
    return found


def headings(text: str) -> list[str]:
    """Return the headings of a document in their order, without marks."""
    found = BeautifulSoup(text, "html.parser").find_all(re.compile("^h[1-6]$"))
    for mark in (mark for heading in found for mark in heading.select("a.headerlink")):
        mark.decompose()
    return [" ".join(heading.get_text().split()) for heading in found]


def name_bookmarks(file: Path, titles: list[str]) -> None:
    """Give the bookmarks the titles of the headings: the browser joins words where a heading breaks, or says it twice.

    Raises:
        ValueError: if there are not as many bookmarks as headings.
    """
    writer = PdfWriter(file, incremental=True)

    def below(node: DictionaryObject) -> Iterator[DictionaryObject]:
        place = node.get("/First")
        while place is not None:
            entry = place.get_object()
            yield entry
            yield from below(entry)
            place = entry.get("/Next")

    for entry, title in zip(below(writer.root_object["/Outlines"].get_object()), titles, strict=True):
        entry[NameObject("/Title")] = TextStringObject(title)
    writer.write(file)


def write(html_folder: Path, target: Path, browser: Browser) -> int:
    """Print the built book to a PDF, and return the number of its pages."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf8"))
    pages = {name: (html_folder / f"{name}.html").read_text("utf8") for _, name in chapters(toc)}
    entries = [(caption, name, title_of(pages[name])) for caption, name in chapters(toc) if name != toc["root"]]
    first, *rest = [body(page, name, set(pages)) for name, page in pages.items()]
    styles = "".join(re.findall(r'<link[^>]*rel="stylesheet"[^>]*>', pages[toc["root"]]))
    source = html_folder / "book" / "print.html"  # beside the pages, so that pictures and styles are found
    page = browser.new_context(java_script_enabled=False, color_scheme="light").new_page()
    numbers: dict[str, int] = {}
    try:
        for _ in range(2):
            text = DOCUMENT.format(styles=styles, style=STYLE, first=first, rest="".join(rest),
                                   contents=contents(entries, numbers))  # fmt: skip
            source.write_text(text, "utf8")
            page.goto(source.as_uri(), timeout=TIMEOUT)
            page.pdf(path=target, prefer_css_page_size=True, print_background=True, display_header_footer=True,
                     header_template="<span></span>", footer_template=FOOTER, outline=True, tagged=True)  # fmt: skip
            numbers = first_pages(target)
        name_bookmarks(target, headings(text))
    finally:
        source.unlink(missing_ok=True)
        page.context.close()
    return len(PdfReader(target).pages)


def main() -> int:
    """Write the file, and say where it is."""
    pages, target = ROOT / "_build/html", ROOT / "_build/attention.pdf"
    path = chromium.find()
    if path is None:
        print(chromium.MISSING, file=sys.stderr)
        return 1
    if not (pages / "book/index.html").exists():
        print("There is no built book: `make book` comes first.", file=sys.stderr)
        return 1
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=chromium.arguments())
        print(f"{write(pages, target, browser)} pages: {target}")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
