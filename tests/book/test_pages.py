"""Every page in a browser: nothing from elsewhere, no error, accessible, in light, in dark and on a phone."""

import gzip
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from transformer_course.common.units import UNITS

MODES = {"light": ("light", 1280, 900), "dark": ("dark", 1280, 900), "phone": ("light", 390, 844)}
COLOURS = ["color-contrast", "link-in-text-block"]  # the rules of axe that look at colours; they take most of the time
WITHOUT_COLOURS = {"rules": {rule: {"enabled": False} for rule in COLOURS}}
CHAPTER = "book/04_scaled_dot_product_attention"
COMPRESSED = (".html", ".css", ".js", ".svg", ".json")
LIMIT = 500_000  # bytes of one page with everything it loads, compressed as web servers do


@contextmanager
def visit(browser, address: str, mode: str = "light", problems: list | None = None, loaded: set | None = None):
    """Open a page with a fresh browser profile; what goes wrong is added to `problems`, what came to `loaded`."""
    scheme, width, height = MODES[mode]
    problems = [] if problems is None else problems
    # Without motion, so that no colour is caught on its way to another.
    settings = {"color_scheme": scheme, "reduced_motion": "reduce"}
    context = browser.new_context(viewport={"width": width, "height": height}, **settings)
    try:
        page = context.new_page()
        origin = urlsplit(address)[:2]

        def check(request) -> None:
            if not request.url.startswith(("data:", "blob:", "about:")) and urlsplit(request.url)[:2] != origin:
                problems.append(f"request to another host: {request.url}")

        page.on("request", check)
        page.on("requestfailed", lambda request: problems.append(f"failed request: {request.url} {request.failure}"))
        page.on("response", lambda answer: answer.status >= 400 and problems.append(f"{answer.status}: {answer.url}"))
        page.on("pageerror", lambda error: problems.append(f"error of a script: {error}"))
        page.on("console", lambda m: m.type in ("error", "warning") and problems.append(f"console: {m.text}"))
        if loaded is not None:
            page.on("requestfinished", lambda request: loaded.add(request.url))
        page.goto(address, wait_until="networkidle")
        page.evaluate("document.fonts.ready")
        yield page
    finally:
        context.close()


def too_wide(page) -> list[str]:
    """Return what makes the page scroll sideways."""
    return page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth ? [] :
        [...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)
        .slice(0, 5).map(e => e.outerHTML.slice(0, 120))"""
    )


def unreachable(page) -> list[str]:
    """Return the boxes that scroll, but not with the keyboard; the theme takes a while to see what scrolls now."""
    for _ in range(100):
        found = page.eval_on_selector_all(
            "main pre, main .pst-scrollable-table-container, main .katex-display",
            """nodes => nodes.filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth && e.tabIndex < 0
            && ["auto", "scroll"].includes(getComputedStyle(e).overflowX)).map(e => e.outerHTML.slice(0, 120))""",
        )
        if not found:
            break
        page.wait_for_timeout(100)
    return found


def cut_formulas(page) -> list[str]:
    """Return the displayed formulas that are wider than their column, so that a reader would have to scroll."""
    return page.eval_on_selector_all(
        ".katex-display",
        """nodes => nodes.filter(e => e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 2)
        .map(e => e.querySelector('annotation').textContent)""",
    )


def cut_code(page) -> list[str]:
    """Return the boxes of code and output that are wider than their column."""
    return page.eval_on_selector_all(
        "main pre",
        """nodes => nodes.filter(e => e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 2)
        .map(e => e.textContent.slice(0, 80))""",
    )


def show_in(page, mode: str) -> None:
    """Change an open page to another mode, as a reader does who turns a device or lets the evening come."""
    scheme, width, height = MODES[mode]
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": height})
    theme = "dark" if scheme == "dark" else "light"
    page.wait_for_function("theme => [undefined, theme].includes(document.documentElement.dataset.theme)", arg=theme)


def weight(book: Path, urls: set[str]) -> dict[str, int]:
    """Return the bytes of each file that a page opened, compressed as web servers do."""
    sizes = {}
    for url in urls:
        if url.startswith("file:"):
            path = Path(unquote(urlsplit(url).path))
            body = path.read_bytes()
            name = path.relative_to(book).as_posix()
            sizes[name] = len(gzip.compress(body, 6)) if name.endswith(COMPRESSED) else len(body)
    return sizes


def violations(page, context: str | None = None, **options) -> list[tuple]:
    """Return what breaks a rule of axe. Without preload, which would fetch each style sheet once more."""
    options = {"preload": False, "resultTypes": ["violations"], **options}
    found = Axe().run(page, context, options=options).response["violations"]
    return [(rule["id"], rule["nodes"][0]["html"][:200], rule["nodes"][0]["failureSummary"]) for rule in found]


def test_a_page_opened_as_a_file_is_whole_accessible_and_light(browser, book, page_name, record_property):
    problems, loaded = [], set()
    with visit(browser, (book / f"{page_name}.html").as_uri(), "dark", problems, loaded) as page:
        assert page.title()
        for mode in ("dark", "phone", "light"):
            show_in(page, mode)
            assert too_wide(page) == [], mode
            assert unreachable(page) == [], mode
            assert cut_code(page) == [], mode
        assert cut_formulas(page) == []  # at the width of a laptop; a phone has to scroll
        assert violations(page, **WITHOUT_COLOURS) == []
    assert problems == []
    sizes = weight(book, loaded)
    record_property("bytes", sum(sizes.values()))
    heaviest = sorted(((size, path) for path, size in sizes.items()), reverse=True)[:5]
    assert len(sizes) > 5
    whole = [path for path in sizes if "webfonts" in path]
    assert whole == [], "an icon is missing in _static/icons, so the browser fetches the theme's whole icon font"
    assert sum(sizes.values()) <= LIMIT, f"{sum(sizes.values())} bytes; the heaviest: {heaviest}"


def test_a_served_page_is_whole_and_its_colours_can_be_told_apart(browser, server, page_name):
    problems = []
    with visit(browser, f"{server}/{page_name}.html", "light", problems) as page:
        for mode in MODES:
            show_in(page, mode)
            assert unreachable(page) == [], mode
            # A phone shows other buttons and the map in another form, but has the colours of light.
            options = {} if page_name == "book/index" else WITHOUT_COLOURS
            options = options if mode == "phone" else {"runOnly": {"type": "rule", "values": COLOURS}}
            assert violations(page, **options) == [], mode
    assert problems == []


@pytest.mark.parametrize("origin", ["server", "file"])
def test_search_finds_a_word(browser, book, server, origin):
    base = server if origin == "server" else book.as_uri()
    problems = []
    with visit(browser, f"{base}/search.html?q=softmax", problems=problems) as page:
        page.wait_for_selector("#search-results ul.search li a")
        page.wait_for_load_state("networkidle")
        links = page.eval_on_selector_all("#search-results ul.search li a", "nodes => nodes.map(n => n.href)")
    assert any(CHAPTER in link for link in links), links
    assert problems == []


def test_the_search_button_opens_a_field_and_the_field_leads_to_results(browser, server):
    with visit(browser, f"{server}/book/notation.html") as page:
        page.keyboard.press("Control+k")
        page.keyboard.type("dictionary")
        page.keyboard.press("Enter")
        page.wait_for_selector("#search-results ul.search li a")
        assert "search.html?q=dictionary" in page.url


def test_code_can_be_copied(browser, server):
    with visit(browser, f"{server}/{CHAPTER}.html") as page:
        blocks = page.locator("div.highlight pre").count()
        assert page.locator("button.copybtn").count() >= blocks > 5
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.locator("div.highlight:visible").first.hover()  # the first of all is folded: the imports
        page.locator("button.copybtn:visible").first.click()
        assert "ages" in page.evaluate("navigator.clipboard.readText()")


def test_the_reader_chooses_the_colours_and_the_choice_stays(browser, server):
    with visit(browser, f"{server}/book/index.html") as page:
        page.locator(".theme-switch-button:visible").first.click()
        chosen = page.evaluate("document.documentElement.dataset.mode")
        assert chosen != "auto"
        page.goto(f"{server}/book/notation.html")
        assert page.evaluate("document.documentElement.dataset.mode") == chosen


def test_a_chapter_can_be_read_without_javascript(browser, server):
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto(f"{server}/{CHAPTER}.html")
        assert page.locator("article .katex-html").first.is_visible()
        assert page.locator("article figure img").first.is_visible()
    finally:
        context.close()


def test_figures_are_not_bright_in_the_dark(browser, server):
    with visit(browser, f"{server}/{CHAPTER}.html", "dark") as page:
        styles = page.eval_on_selector_all(
            "article .cell_output img",
            "nodes => nodes.map(n => [getComputedStyle(n).backgroundColor, getComputedStyle(n).filter])",
        )
        assert styles
        for background, filtered in styles:
            assert background == "rgba(0, 0, 0, 0)"
            assert "invert" in filtered


def test_a_printed_page_is_the_text_alone(browser, server):
    with visit(browser, f"{server}/{CHAPTER}.html") as page:
        page.emulate_media(media="print")
        for selector in ("#pst-primary-sidebar", ".bd-header-article", ".prev-next-area", "button.copybtn"):
            assert not page.locator(selector).first.is_visible(), selector
        assert page.locator("article h1").is_visible()


def test_the_map_shows_each_unit_once_and_leads_to_its_chapter(browser, server):
    for mode in MODES:
        with visit(browser, f"{server}/book/index.html", mode) as page:
            assert page.locator("svg.course-map:visible").count() == 1
            assert page.locator("svg.course-map:visible .number").count() == len(UNITS)
            page.locator("svg.course-map:visible a").first.click()
            page.wait_for_load_state()
            assert page.locator("h1 .section-number").count() == 1


def marked(page) -> dict[str, list[str]]:
    """Return which units have which tick, in the map that is to be seen."""
    units = "nodes => nodes.filter(each => each.checkVisibility()).map(each => each.parentNode.dataset.unit)"
    return {kind: page.eval_on_selector_all(f"svg.course-map .tick.{kind}", units) for kind in ("read", "solved")}


@pytest.mark.parametrize("mode", MODES)
def test_a_chapter_marked_as_read_has_a_tick_in_the_map(browser, book, mode):
    problems = []
    with visit(browser, (book / f"{CHAPTER}.html").as_uri(), mode, problems) as page:
        box = page.get_by_role("checkbox", name="I have read this chapter")
        assert not box.is_checked()
        box.focus()
        page.keyboard.press("Space")
        expect(box).to_be_checked()
        assert too_wide(page) == []
        assert violations(page, context=".read-mark") == []
        page.get_by_role("link", name="The map", exact=True).click()
        page.wait_for_url("**/index.html")
        expect(page.locator("svg.course-map .tick.read:visible")).to_have_count(1)  # when the script has run
        assert marked(page) == {"read": ["04"], "solved": []}
        link = page.get_by_role("link", name="✓ read")
        assert "Scaled dot-product" in link.text_content()
        assert violations(page, context="svg.course-map") == []
        assert violations(page, context=".read-mark") == []
        page.emulate_media(media="print")
        assert not page.locator(".read-mark").is_visible()
        assert marked(page) == {"read": [], "solved": []}
        page.emulate_media(media="screen")
        page.go_back()
        page.wait_for_url(f"**/{CHAPTER}.html")
        expect(box).to_be_checked()  # when the script has run again
        box.uncheck()
        page.goto((book / "book/index.html").as_uri())
        assert marked(page) == {"read": [], "solved": []}
    assert [each for each in problems if "ERR_ABORTED" not in each] == []  # a page that was left was still fetching


def test_the_address_that_progress_prints_adds_solved_exercises_and_nothing_else(browser, book):
    problems, index = [], (book / "book/index.html").as_uri()
    with visit(browser, f"{index}#solved=04,07,77", problems=problems) as page:
        assert marked(page) == {"read": [], "solved": ["04", "07"]}
        page.goto(f"{index}#solved=12")
        assert marked(page)["solved"] == ["04", "07", "12"]
        page.goto(f"{index}#solved=<b>1</b>")
        page.goto(f"{index}#the-map")
        page.reload()
        assert marked(page)["solved"] == ["04", "07", "12"]
        page.get_by_role("button", name="Forget them").click()
        assert marked(page)["solved"] == []
        assert not page.get_by_role("button", name="Forget them").is_visible()
        page.evaluate("localStorage.setItem('course-marks', '{')")
        page.goto(f"{index}?again#solved=07")
        assert marked(page) == {"read": [], "solved": ["07"]}, "what is no form of ours does not last"
    assert [each for each in problems if "ERR_ABORTED" not in each] == []  # a page that was left was still fetching


def test_without_scripts_there_is_no_box_to_tick(browser, book):
    context = browser.new_context(java_script_enabled=False)
    try:
        page = context.new_page()
        page.goto((book / f"{CHAPTER}.html").as_uri())
        assert page.locator(".read-mark").count() == 0
    finally:
        context.close()


def test_the_rules_find_a_picture_without_text(browser):
    context = browser.new_context()
    try:
        page = context.new_page()
        page.set_content(
            "<html lang=en><title>x</title><main><h1>x</h1><img src='data:image/gif;base64,R0lGODlh'></main>"
        )
        assert "image-alt" in [rule["id"] for rule in Axe().run(page).response["violations"]]
    finally:
        context.close()
