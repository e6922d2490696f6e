"""What holds for every live figure: three views, no JavaScript, several on a page, outside the book."""

import pytest
import torch

from drawings import live

TAGS = [
    "translator-figure",
    "scores-to-weights",
    "softmax-jacobian",
    "head-splitter",
    "attention-viewer",
    "beam-stepper",
    "position-explorer",
    "heads-over-updates",
    "picture-mover",
    "running-softmax",
]


def test_every_kind_is_tested(figures):
    assert list(figures) == TAGS


@pytest.mark.parametrize("tag", TAGS)
def test_three_views_without_accessibility_violation_or_sideways_scroll(visit, tag):
    from axe_playwright_python.sync_playwright import Axe

    page = visit(tag, reduced_motion="reduce")
    for theme, width in (("light", 1000), ("dark", 1000), ("light", 390)):
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        violations = Axe().run(page, options={"preload": False}).response["violations"]
        assert [(v["id"], [n["html"] for n in v["nodes"]]) for v in violations] == [], (theme, width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        # Everything to press is at least 24 px in both directions (WCAG 2.2, target size).
        sizes = page.evaluate(
            "[...document.querySelectorAll('button, select, input, [role=slider]')].map(e => e.getBoundingClientRect())"
            ".map(box => Math.min(box.width, box.height))"
        )
        assert min(sizes, default=24) >= 24


@pytest.mark.parametrize("tag", TAGS)
def test_without_javascript_the_table_stays(visit, figures, tag):
    page = visit(tag, java_script_enabled=False)
    figure = page.locator(tag)
    assert figure.locator("table.dataframe tbody tr").count() >= 2
    assert figures[tag].data["title"] in figure.inner_text()


def test_a_page_may_hold_every_figure_twice(visit):
    page = visit("all")
    assert page.locator(".live-ready").count() == 2 * len(TAGS)
    assert page.locator("script[src$='/base.js']").count() == 1
    ids = page.evaluate("[...document.querySelectorAll('.live-ready [id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))


def test_outside_the_book_the_table_stays_and_nothing_is_asked_for(visit, write):
    # Jupyter shows the same HTML in a page of its own, which does not say where the book's root is.
    write("notebook", change=(' data-content_root="../"', ""))
    page = visit("notebook", ready=False)
    page.wait_for_load_state("networkidle")
    assert page.locator("table.dataframe").is_visible()
    assert page.locator("script[src], link[href*=live]").count() == 0


def test_a_style_sheet_that_is_there_is_not_loaded_again(visit, write):
    write("styled", change=("</head>", '<link rel="stylesheet" href="../_static/live/live.css"></head>'))
    page = visit("styled")
    assert page.locator("link[href*='live.css']").count() == 1


def test_many_long_tokens_scroll_inside_the_figure(visit, write):
    words = [f"Donaudampfschifffahrt{i}" for i in range(26)]
    write("long", live.attention_viewer(torch.full((26, 26), 1 / 26), words, words))
    page = visit("long", viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    inner, outer = page.evaluate("(b => [b.scrollWidth, b.clientWidth])(document.querySelector('.live-scroll'))")
    assert inner > outer
    assert page.locator("select").count() == 0  # one layer with one head: nothing to choose
    assert page.locator("p.live-status").inner_text().startswith("“")  # and no number of either


def test_a_screen_reader_hears_only_where_the_reader_stopped(visit):
    page = visit("attention-viewer")
    heard = page.locator("[aria-live=polite]")
    page.evaluate("""() => {
        window.said = [];
        const heard = document.querySelector("[aria-live]");
        new MutationObserver(() => window.said.push(heard.textContent)).observe(heard, { childList: true });
    }""")
    page.locator(".live-matrix").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('[aria-live]').textContent.includes('saß')")
    assert "of its attention on “saß”" in heard.text_content()
    assert len(page.evaluate("window.said.filter(text => text.includes('Katze'))")) == 0
