"""The decks of slides: what the page has is there, nothing is cut off, and no network is needed."""

import functools
import re

import pytest
import slide_order
import slide_parts
import slides
from bs4 import BeautifulSoup

from transformer_course.common.units import UNITS

SAMPLED = 3  # a chapter with every kind of slide
MARKS = [() if unit.number == SAMPLED else pytest.mark.exhaustive for unit in UNITS]
CASES = [pytest.param(unit, id=unit.name, marks=marks) for unit, marks in zip(UNITS, MARKS, strict=True)]
PAGE = """<article class="bd-article"><section id="top"><h1><span>6. </span>Masking<a class="headerlink">#</a></h1>
<section id="first"><h2>The <em>question</em></h2><p>Attention looks at all.
Too much.</p><p>So <strong>what hides it?</strong></p><figure id="fig">
<svg viewBox="0 0 2 1"><a href="x.html"><rect/></a></svg><figcaption><p><span class="caption-number">Fig. 1 </span>
<span class="caption-text">A mask.
More of it.</span></p></figcaption></figure><p>It hides <a href="y.html">this</a>.</p></section>
<section id="code"><h2>Code</h2><div class="cell"><div class="cell_input"><pre>LINES</pre></div></div>
<div class="cell"><details class="hide"><div class="cell_input"><pre><span class="line">folded</span></pre></div>
</details><div class="cell_output"><div class="output"><table><thead><tr><th>a</th></tr></thead><tbody>ROWS</tbody>
</table></div></div></div></section><section id="after"><h2>Reference solution</h2><p>A solution.</p></section>
<section id="sources"><h2>Sources</h2><p>A paper.</p></section></section></article>"""
# What is cut off: text, pictures and formulas that leave the slide or the place that they have on it.
CUT = """() => {
  const sheet = Reveal.getCurrentSlide().querySelector(".sheet"), found = [];
  const outer = sheet.getBoundingClientRect(), box = sheet.querySelector(".shown").getBoundingClientRect();
  const foot = sheet.querySelector(".foot")?.getBoundingClientRect();
  const look = (rect, inner, what) => {
    const place = inner ? box : outer;
    if (rect.width && rect.height && (rect.left < place.left - 2 || rect.right > place.right + 2 ||
        rect.top < place.top - 2 || rect.bottom > place.bottom + 2)) found.push(what);
  };
  if (box.height < 150 || foot && box.bottom > foot.top) found.push("no room for what is shown");
  const walker = document.createTreeWalker(sheet, NodeFilter.SHOW_TEXT), range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (!node.data.trim() || parent.closest(".katex-mathml, .live-hidden, svg, script, style, option")) continue;
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) look(rect, parent.closest(".shown"), node.data.slice(0, 40));
  }
  for (const picture of sheet.querySelectorAll(".shown svg, .shown img")) {
    if (!picture.parentElement.closest("svg, .katex")) look(picture.getBoundingClientRect(), true, picture.tagName);
    if (picture.complete && !picture.naturalWidth) found.push("a picture that did not load");
  }
  const zoom = +sheet.querySelector(".fit")?.style.zoom || 1;
  if (zoom < (sheet.classList.contains("kind-live") ? 0.5 : 0.6)) found.push(`too small: ${zoom}`);
  const picture = sheet.querySelector(".picture");
  if (picture && picture.clientHeight < 230) found.push(`a small picture: ${picture.clientHeight}`);
  return found.length ? [sheet.querySelector("h1, h2").textContent, ...found] : null;
}"""


@pytest.fixture(scope="module")
def decks(book, tmp_path_factory):
    """A function that writes the deck of a chapter and returns its file."""
    folder = tmp_path_factory.mktemp("slides")

    @functools.cache
    def write(unit):
        slides.write(book, folder, (unit,))
        return folder / f"{unit.name}.html"

    return write


@pytest.fixture
def stage(browser):
    """A browser window of 1280 by 720 without a network, and what it asked for or complained of."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, offline=True)
    page, seen = context.new_page(), {"asked": [], "failed": []}
    page.on("request", lambda request: seen["asked"].append(request.url))
    page.on("requestfailed", lambda request: seen["failed"].append(request.url))
    page.on("pageerror", lambda error: seen["failed"].append(str(error)))
    page.on("console", lambda said: seen["failed"].append(said.text) if said.type == "error" else None)
    yield page, seen
    context.close()


def toy(lines: int = 3, rows: int = 2) -> list[list[slide_parts.Slide]]:
    """Take the page above apart."""
    function = '<span class="line">def f():\n</span><span class="line">    pass\n</span><span class="line">\n</span>'
    text = PAGE.replace("LINES", function * lines)
    return slide_order.read_page(text.replace("ROWS", "<tr><td>1</td></tr>" * rows))[1]


def plain(text: str) -> str:
    return " ".join(BeautifulSoup(text, "html.parser").get_text().split())


def test_a_figure_is_shown_under_what_leads_to_it_and_all_prose_is_in_the_notes():
    [[slide], _] = toy()
    assert (slide.heading, slide.anchor, slide.kind) == ("The question", "first", "figure")
    assert [plain(line) for line in slide.lead] == ["Attention looks at all.", "So what hides it?"]
    assert "Fig. 1 A mask." in plain(slide.shown)
    assert "More of it" not in slide.shown
    for said in ("Attention looks at all. Too much.", "So what hides it?", "A mask. More of it.", "It hides this."):
        assert said in plain("".join(slide.notes))
    assert "href" not in slide.shown + "".join(slide.notes)


def test_folded_code_and_solutions_are_left_out_and_sources_are_in_the_last_notes():
    text = str(toy())
    assert "folded" not in text
    assert "A solution" not in text
    assert "A paper." in "".join(toy()[-1][-1].notes)


def test_long_code_is_cut_between_functions_and_a_long_table_keeps_its_head():
    _, slides_of_code = toy(lines=10, rows=30)
    code = [slide for slide in slides_of_code if slide.kind == "code"]
    assert len(code) == 2
    assert all(BeautifulSoup(slide.shown, "html.parser").get_text().startswith("def f") for slide in code)
    tables = [slide.shown for slide in slides_of_code if slide.kind == "table"]
    assert [table.count("<th>") for table in tables] == [1, 1, 1]
    assert sum(table.count("<td>") for table in tables) == 30


def test_a_page_that_is_no_chapter_is_refused():
    with pytest.raises(ValueError, match="page: expected a built chapter"):
        slide_order.read_page("<html></html>")


@pytest.mark.parametrize("unit", CASES)
def test_a_deck_has_all_that_its_page_shows_and_says(unit, book, decks):
    page = BeautifulSoup((book / f"book/{unit.name}.html").read_text("utf8"), "html.parser")
    deck = BeautifulSoup(decks(unit).read_text("utf8"), "html.parser")
    left_out = "#reference-solution, .tag_hide-cell, .cell > details.hide, .headerlink, .verdict, .letter, .number"
    for part in page.select(left_out):
        part.decompose()
    article = page.select_one("article.bd-article section")
    shown = [part.extract() for part in deck.select(".sheet")]
    leads = {link["href"].partition("#") for sheet in shown for link in sheet.select(".foot a")}
    assert {address for address, _, _ in leads} == {f"../html/book/{unit.name}.html"}
    assert {anchor for _, _, anchor in leads} <= {part["id"] for part in page.select("[id]")}
    for what, in_page, in_deck in (
        ("figures", "figure svg.drawing, figure img", ".picture svg.drawing, .picture > img"),
        ("questions", "fieldset.quiz", ".question"),
        ("live figures", ":is(.cell_output, translator-figure) script[type]", ".fit script[type]"),
        ("steps", "step-through li", ".step"),
    ):
        found = [part for part in article.select(in_page) if what != "live figures" or not part.find_parent("figure")]
        assert sum(len(sheet.select(in_deck)) for sheet in shown) == len(found), what
    formulas = [part for part in article.select("div.math") if not part.find_parent(class_="sd-dropdown")]
    assert sum(len(sheet.select("div.math")) for sheet in shown) >= len(formulas)
    rows = [row for row in article.select("table tr") if row.td and not row.find_parent(is_live)]
    assert sum(len(sheet.select(".fit > table td")) for sheet in shown) == sum(len(row.select("td")) for row in rows)

    for part in (
        *article.select(".katex"),
        *deck.select("math"),
        *(part for sheet in shown for part in sheet.select(".katex")),
    ):
        part.decompose()
    everything = letters(" ".join(map(str, [*shown, deck])))
    said = [part for part in article.select("p, li, td") if not part.find_parent(is_live) and not part.find("p")]
    assert [part.get_text() for part in said if letters(str(part)) not in everything] == []


def is_live(tag) -> bool:
    return "-" in tag.name


def letters(text: str) -> str:
    """The letters and digits of a text, whatever stands between them."""
    return re.sub(r"\W", "", BeautifulSoup(text, "html.parser").get_text())


@pytest.mark.parametrize("unit", CASES)
def test_nothing_is_cut_off_and_nothing_comes_from_a_network(unit, decks, stage):
    page, seen = stage
    file = decks(unit)
    page.goto(file.as_uri())
    page.wait_for_function("Reveal.isReady()")
    count, cut = page.evaluate("Reveal.getTotalSlides()"), []
    assert count > 30
    for _ in range(count):
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        cut.append(page.evaluate(CUT))
        while page.evaluate("Reveal.availableFragments().next"):  # the answer to a question, the next step
            page.keyboard.press("ArrowRight")
            cut.append(page.evaluate(CUT))
        page.evaluate("Reveal.next()")
    assert page.evaluate("Reveal.isLastSlide()")
    assert [found for found in cut if found] == []
    assert all(url.startswith((file.parent.as_uri(), "data:")) for url in seen["asked"])
    assert seen["failed"] == []


def test_the_speaker_has_the_text_and_colours_keep_their_meaning(decks, stage):
    page, _ = stage
    page.goto(decks(UNITS[SAMPLED - 1]).as_uri())
    page.wait_for_function("Reveal.isReady()")
    colours = "(name) => [getComputedStyle(document.querySelector(`.katex-html .role-${name}`)).color, name]"
    rgb = {page.evaluate(colours, name)[0] for name in ("query", "key", "value")}
    assert len(rgb) == 3
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    with page.expect_popup() as popup:
        page.keyboard.press("s")
    said = page.evaluate("Reveal.getSlideNotes()")
    first = BeautifulSoup(said, "html.parser").p.get_text().split("\n")[0]
    popup.value.locator(".speaker-controls-notes .value", has_text=first).wait_for()


def test_the_answer_and_the_next_step_come_with_the_next_key(book, decks, stage):
    page, _ = stage
    unit = UNITS[SAMPLED - 1]
    right = BeautifulSoup((book / f"book/{unit.name}.html").read_text("utf8"), "html.parser").select_one(
        ".choice.right"
    )
    page.goto(decks(unit).as_uri())
    page.wait_for_function("Reveal.isReady()")

    def go_to(kind: str):
        place = f"Reveal.getIndices(document.querySelector('.kind-{kind}').closest('section'))"
        page.evaluate(f"(({{h, v}}) => Reveal.slide(h, v))({place})")
        return page.locator("section.present > .sheet")

    steps = go_to("steps")
    now, drawn = steps.locator(".step.now"), steps.locator("[data-from]:visible")
    first, before = now.inner_text(), drawn.count()
    page.keyboard.press("ArrowRight")
    assert now.inner_text() != first
    assert drawn.count() > before

    quiz = go_to("quiz")
    assert not quiz.locator(".answer").is_visible()
    page.keyboard.press("ArrowRight")
    quiz.locator(".answer.visible").wait_for()
    assert letters(right.select_one(".answer").get_text()).endswith(letters(quiz.locator(".answer").inner_html()))
    assert letters(right.label.get_text()[2:]) == letters(quiz.locator("li.right.visible").inner_html())


def test_the_page_in_front_leads_to_each_deck(book, tmp_path):
    names = {f"{unit.name}.html" for unit in UNITS}
    page = BeautifulSoup(slides.contents(dict.fromkeys(UNITS, 40)), "html.parser")
    assert {link["href"] for link in page.select("main a")} == names
    slides.copy_static(book, tmp_path)
    assert all((tmp_path / link["href"]).is_file() for link in page.select("link"))
    assert (tmp_path / "_static/reveal/LICENSE").is_file()
