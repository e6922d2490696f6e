"""The live figures in a real browser: numbers against torch, keyboard, touch, three views, no JavaScript, file://."""

import math
import shutil
from pathlib import Path

import pytest
import torch
from torch.nn import functional as F

from transformer_course.common import live

STATIC = Path(__file__).parents[2] / "book" / "_static"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium on the PATH (apt-get install chromium)")

KEYS = torch.tensor([[1.5, 0.5], [-0.4, 1.3], [-1.1, -0.9], [0.6, -1.4], [0.1, 0.2]])
VALUES = torch.tensor([[1.0, 2.0], [-2.0, 0.5], [0.3, -1.7], [1.9, -0.6], [0.0, 1.0]])
WORDS = ["the", "cat", "sat", "down", "</script>"]

GENERATOR = torch.Generator().manual_seed(0)
PRODUCTS = {d_k: math.sqrt(d_k) * torch.randn(3, 16, generator=GENERATOR) for d_k in (4, 16, 64, 256)}
X = 10 * torch.arange(3)[:, None] + torch.arange(8)  # number 10 t + c stands at token t, column c
SPLITS = {
    "x.view(3, 2, 4).transpose(0, 1)": X.view(3, 2, 4).transpose(0, 1),
    "x.view(2, 3, 4)": X.view(2, 3, 4),
    "x.view(3, 4, 2).permute(2, 0, 1)": X.view(3, 4, 2).permute(2, 0, 1),
    "x.T.reshape(2, 3, 4)": X.T.reshape(2, 3, 4),
    "x.view(3, 2, 4).reshape(2, 3, 4)": X.view(3, 2, 4).reshape(2, 3, 4),
}
SOURCE = ["<s>", "die", "alte", "Katze", "saß", "auf", "der", "roten", "Matte", ".", "</s>"]
TARGET = ["the", "old", "cat", "sat", "on", "the", "red", "mat", ".", "</s>"]
WEIGHTS = (3 * torch.randn(2, 4, len(TARGET), len(SOURCE), generator=GENERATOR)).softmax(-1)
LINKS = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8)]
STEPS = [
    [(["the"], -0.51, True), (["a"], -1.02, True), (["one"], -2.9, False)],
    [
        (["the", "cat"], -0.98, True),
        (["a", "cat"], -1.35, True),
        (["the", "dog"], -2.12, False),
        (["a", "dog"], -2.6, False),
    ],
    [
        (["the", "cat", "sat"], -1.2, True),
        (["a", "cat", "</s>"], -1.9, True),
        (["the", "cat", "</s>"], -2.2, False),
        (["a", "cat", "sat"], -2.4, False),
    ],
    [(["the", "cat", "sat", "</s>"], -1.31, True), (["the", "cat", "sat", "down"], -1.8, True)],
]


def figures() -> dict[str, live.LiveFigure]:
    return {
        "scores-to-weights": live.scores_to_weights([1.2, 0.7], KEYS, VALUES, WORDS),
        "softmax-jacobian": live.softmax_jacobian(PRODUCTS),
        "head-splitter": live.head_splitter(X, SPLITS),
        "attention-viewer": live.attention_viewer(WEIGHTS, SOURCE, TARGET, LINKS),
        "beam-stepper": live.beam_stepper(STEPS),
        "position-explorer": live.position_explorer(length=40, d_model=16, positions=(7, 12)),
    }


TAGS = list(figures())


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A page for each figure and one with all of them twice, beside the same static files as the book's."""
    root = tmp_path_factory.mktemp("site")
    (root / "_static").mkdir()
    shutil.copytree(STATIC / "live", root / "_static" / "live")
    theme = pytest.importorskip("pydata_sphinx_theme", reason="needs the theme of the book")
    styles = Path(theme.__file__).parent / "theme/pydata_sphinx_theme/static/styles"
    shutil.copytree(styles, root / "_static" / "styles")
    (root / "book").mkdir()
    parts = {tag: figure._repr_html_() for tag, figure in figures().items()}
    for name, part in {**parts, "all": "".join(parts.values()) * 2}.items():
        (root / "book" / f"{name}.html").write_text(
            '<!DOCTYPE html><html lang="en" data-content_root="../" data-theme="light"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Figure</title>'
            '<link rel="stylesheet" href="../_static/styles/pydata-sphinx-theme.css"><link rel="icon" href="data:,">'
            '</head><body><main class="bd-content" style="display:block;padding:1rem"><h1>Figure</h1>'
            f'<div class="cell_output"><div class="output text_html">{part}</div></div></main></body></html>'
        )
    return root


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser, folder):
    """Open a page from file:// and hold it to: no console error, no failed and no outside request."""
    contexts, complaints = [], []

    def go(name: str, theme: str = "light", **options):
        context = browser.new_context(**{"viewport": {"width": 1000, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("requestfailed", lambda request: complaints.append(f"failed: {request.url}"))
        page.on("request", lambda r: None if r.url.startswith(("file:", "data:")) else complaints.append(r.url))
        page.goto((folder / "book" / f"{name}.html").as_uri())
        if options.get("java_script_enabled", True):
            page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            page.wait_for_function(
                "tags => tags.every(t => [...document.querySelectorAll(t)].every(e => e.matches('.live-ready')))",
                arg=TAGS,
            )
        return page

    yield go
    for context in contexts:
        context.close()
    assert complaints == []


def shown(page, selector: str) -> list[float]:
    """The numbers that the page shows in the elements, in order."""
    texts = page.locator(selector).all_text_contents()
    return [float(number) for text in texts for number in text.replace("−", "-").strip("()").split(",")]


def assert_shown(actual: list[float], expected, digits: int) -> None:
    """The page shows the expected numbers, rounded to so many digits."""
    expected = torch.as_tensor(expected, dtype=torch.float64)
    tolerance = 0.5001 * 10**-digits
    torch.testing.assert_close(torch.tensor(actual, dtype=torch.float64), expected, rtol=0, atol=tolerance)


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize(
    ("theme", "width"), [("light", 1000), ("dark", 1000), ("light", 390)], ids=["light", "dark", "phone"]
)
def test_three_views_without_accessibility_violation_or_sideways_scroll(visit, tag, theme, width):
    from axe_playwright_python.sync_playwright import Axe

    page = visit(tag, theme, viewport={"width": width, "height": 844}, reduced_motion="reduce")
    violations = Axe().run(page, options={"preload": False}).response["violations"]
    assert [(v["id"], [n["html"] for n in v["nodes"]]) for v in violations] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # Everything to press is at least 24 px in both directions (WCAG 2.2, target size).
    boxes = page.evaluate(
        "[...document.querySelectorAll('button, select, input, [role=slider]')].map(e => e.getBoundingClientRect())"
    )
    assert all(min(box["width"], box["height"]) >= 24 for box in boxes)


@pytest.mark.parametrize("tag", TAGS)
def test_without_javascript_the_table_stays(visit, tag):
    page = visit(tag, java_script_enabled=False)
    figure = page.locator(tag)
    assert figure.locator("table.dataframe tbody tr").count() >= 2
    assert figures()[tag].data["title"] in figure.inner_text()


def test_a_page_may_hold_every_figure_twice(visit):
    page = visit("all")
    assert page.locator(".live-ready").count() == 2 * len(TAGS)
    assert page.locator("script[src$='/base.js']").count() == 1
    ids = page.evaluate("[...document.querySelectorAll('.live-ready [id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))


def expected_attention(query, temperature):
    query, keys, values = torch.tensor([query], dtype=torch.float64), KEYS.double(), VALUES.double()
    scale = 1 / math.sqrt(2) / temperature
    output = F.scaled_dot_product_attention(query[None], keys[None], values[None], scale=scale)[0, 0]
    weights = F.scaled_dot_product_attention(query[None], keys[None], torch.eye(5).double()[None], scale=scale)[0, 0]
    return keys @ query[0], keys @ query[0] * scale, weights, output


def assert_attention(page, query, temperature):
    products, scores, weights, output = expected_attention(query, temperature)
    assert_shown(shown(page, "td[data-name=dot]"), products, 2)
    assert_shown(shown(page, "td[data-name=score]"), scores, 2)
    assert_shown(shown(page, "td[data-name=weight]"), weights, 3)
    text = page.locator(".live-output").inner_text().split("(")[1].strip(")").replace("−", "-")
    assert_shown([float(x) for x in text.split(",")], output, 3)


def query_of(page) -> list[float]:
    text = page.locator(".live-handle").get_attribute("aria-valuetext")
    return [float(x) for x in text.replace("−", "-").strip("()").split(",")]


def test_scores_to_weights_by_keyboard(visit):
    page = visit("scores-to-weights")
    assert_attention(page, [1.2, 0.7], 1)
    page.locator(".live-handle").focus()
    for key in ["ArrowLeft", "ArrowLeft", "ArrowDown", "Shift+ArrowUp", "Shift+ArrowLeft"]:
        page.keyboard.press(key)
    assert query_of(page) == [0.5, 1.1]
    assert_attention(page, [0.5, 1.1], 1)
    page.get_by_label("temperature").focus()
    for _ in range(8):
        page.keyboard.press("ArrowLeft")
    assert_attention(page, [0.5, 1.1], 0.25)
    page.get_by_role("button", name="Start again").click()
    assert_attention(page, [1.2, 0.7], 1)


def test_scores_to_weights_stays_in_the_plane(visit):
    page = visit("scores-to-weights")
    page.locator(".live-handle").focus()
    for _ in range(9):
        page.keyboard.press("Shift+ArrowRight")
    assert query_of(page) == [2.0, 0.7]
    page.keyboard.press("Home")
    assert query_of(page) == [1.2, 0.7]


def test_scores_to_weights_by_mouse_and_by_touch(visit):
    page = visit("scores-to-weights", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    plane = page.locator("svg").first
    plane.scroll_into_view_if_needed()
    box = plane.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.touchscreen.tap(middle[0] - box["width"] / 4, middle[1] + box["height"] / 4)  # the plane reaches from -2 to 2
    assert query_of(page) == pytest.approx([-1, -1], abs=0.03)
    page.mouse.move(middle[0] - box["width"] / 4, middle[1] + box["height"] / 4)
    page.mouse.down()
    page.mouse.move(middle[0] + 5, middle[1])
    page.mouse.move(middle[0], middle[1] - box["height"] / 8, steps=4)
    page.mouse.up()
    assert query_of(page) == pytest.approx([0, 0.5], abs=0.03)
    assert_attention(page, query_of(page), 1)


def drag_by_finger(page, start, end):
    session = page.context.new_cdp_session(page)
    for kind, points in [("touchStart", [start]), ("touchMove", [end]), ("touchMove", [end]), ("touchEnd", [])]:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})


def test_scores_to_weights_dragged_by_a_finger_does_not_scroll_the_page(visit):
    page = visit("scores-to-weights", viewport={"width": 390, "height": 500}, has_touch=True, is_mobile=True)
    page.locator(".live-handle").scroll_into_view_if_needed()
    box, before = page.locator("svg").first.bounding_box(), page.evaluate("scrollY")
    knob = page.locator(".live-knob").first.bounding_box()
    start = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
    drag_by_finger(page, start, (start[0], start[1] - box["height"] / 4))
    page.wait_for_timeout(100)
    assert query_of(page) == pytest.approx([1.2, 1.7], abs=0.06)
    assert page.evaluate("scrollY") == before
