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
    "x.view(2, 4, 3).transpose(1, 2)": X.view(2, 4, 3).transpose(1, 2),
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
    shutil.copytree(STATIC, root / "_static", ignore=shutil.ignore_patterns("katex"))
    theme = pytest.importorskip("pydata_sphinx_theme", reason="needs the theme of the book")
    styles = Path(theme.__file__).parent / "theme/pydata_sphinx_theme/static/styles"
    shutil.copytree(styles, root / "_static" / "styles")
    (root / "book").mkdir()
    parts = {tag: figure._repr_html_() for tag, figure in figures().items()}
    for name, part in {**parts, "all": "".join(parts.values()) * 2}.items():
        (root / "book" / f"{name}.html").write_text(
            '<!DOCTYPE html><html lang="en" data-content_root="../" data-theme="light"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Figure</title>'
            '<link rel="stylesheet" href="../_static/styles/pydata-sphinx-theme.css">'
            '<link rel="stylesheet" href="../_static/course.css"><link rel="icon" href="data:,">'
            '</head><body><main class="bd-content bd-article" style="display:block;padding:1rem"><h1>Figure</h1>'
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

    def go(name: str, ready: bool = True, **options):
        context = browser.new_context(**{"viewport": {"width": 1000, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("requestfailed", lambda request: complaints.append(f"failed: {request.url}"))
        page.on("request", lambda r: None if r.url.startswith(("file:", "data:")) else complaints.append(r.url))
        page.goto((folder / "book" / f"{name}.html").as_uri())
        if ready and options.get("java_script_enabled", True):
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


@pytest.fixture
def write(folder):
    """Write a page with another figure, or with something else changed."""

    def page(name: str, figure: live.LiveFigure | None = None, change: tuple[str, str] = ("", "")) -> None:
        text = (folder / "book" / "scores-to-weights.html").read_text()
        if figure is not None:
            text = text.replace(figures()["scores-to-weights"]._repr_html_(), figure._repr_html_())
        (folder / "book" / f"{name}.html").write_text(text.replace(*change))

    return page


def test_scores_to_weights_with_values_that_have_no_picture(visit, write):
    write("narrow", live.scores_to_weights([1.2, 0.7], KEYS, VALUES[:, :1]))
    page = visit("narrow")
    assert page.locator("svg").count() == 1
    assert_shown(shown(page, "td[data-name=weight]"), expected_attention([1.2, 0.7], 1)[2], 3)


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


def slide(page, label: str, keys: str, times: int = 1) -> None:
    page.get_by_label(label, exact=True).focus()
    for _ in range(times):
        page.keyboard.press(keys)


def assert_jacobian(page, d_k, draw, n, temperature, divide):
    products = torch.tensor([float(f"{x:.4g}") for x in PRODUCTS[d_k][draw].tolist()], dtype=torch.float64)[:n]

    def weights_of(x):
        return F.softmax(x / (math.sqrt(d_k) if divide else 1) / temperature, dim=-1)

    jacobian = torch.autograd.functional.jacobian(weights_of, products)
    assert_shown(shown(page, ".live-half text"), weights_of(products), 3)
    for name, expected in (("Frobenius norm", jacobian.norm()), ("largest entry", jacobian.abs().max())):
        seen = shown(page, f"b[data-name='{name}']")[0]
        assert seen == pytest.approx(expected.item(), abs=0.5001e-5 if expected >= 1e-4 else 0, rel=5e-3)
    return jacobian


def test_softmax_jacobian_equals_autograd(visit):
    page = visit("softmax-jacobian")
    assert_jacobian(page, 256, 0, 8, 1, divide=True)
    page.get_by_label("divide by √d_k").uncheck()
    assert_jacobian(page, 256, 0, 8, 1, divide=False)
    slide(page, "d_k", "ArrowLeft", 2)
    slide(page, "keys n", "ArrowRight", 3)
    page.get_by_role("button", name="Another draw").click()
    slide(page, "temperature", "ArrowRight", 2)
    jacobian = assert_jacobian(page, 16, 1, 11, 2, divide=False)
    page.locator(".live-matrix").focus()
    for key in ["ArrowDown", "ArrowDown", "ArrowRight"]:
        page.keyboard.press(key)
    text = page.locator("p.live-status").inner_text()
    assert text.startswith("Weight 3 by dot product 2: ")
    assert float(text.split()[6].strip(".").replace("−", "-")) == pytest.approx(jacobian[2, 1].item(), abs=0.5001e-5)


def test_head_splitter_says_where_each_number_went(visit):
    page = visit("head-splitter", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)

    def places(value):
        found = [tuple((split == value).nonzero()[0].tolist()) for split in SPLITS.values()]
        suffix = ["", *(": the right place" if place == found[0] else ": wrong" for place in found[1:])]
        return [f"{value} → head {h}, row {i}, column {j}{end}" for (h, i, j), end in zip(found, suffix, strict=True)]

    lines = page.locator(".live-where")
    assert lines.all_inner_texts() == places(14)
    page.locator(".live-matrix").focus()
    for key in ["ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowLeft"]:
        page.keyboard.press(key)
    assert lines.all_inner_texts() == places(21)
    page.locator("svg").nth(2).locator(".live-cell").nth(7).tap()  # in x.view(2, 3, 4) the eighth number is 7
    assert lines.all_inner_texts() == places(7)
    assert page.locator(".live-chosen").count() == 1 + len(SPLITS)


def test_attention_viewer_shows_the_weights_of_every_layer_and_head(visit):
    page = visit("attention-viewer")

    def shares(layer, head, row):
        seen = [int(text.split()[0]) for text in page.locator("small[data-name=share]").all_inner_texts()]
        assert seen == pytest.approx((100 * WEIGHTS[layer, head, row]).tolist(), abs=0.56)  # of 3 decimals, a percent

    shares(0, 0, 0)
    page.get_by_label("layer").select_option("1")
    page.get_by_label("head").select_option("2")
    shares(1, 2, 0)
    page.locator(".live-matrix").focus()
    for key in ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"]:
        page.keyboard.press(key)
    shares(1, 2, 2)
    said = f"Layer 1, head 2: “cat” gives “Katze” {WEIGHTS[1, 2, 2, 3]:.3f} of its attention, a gold link."
    assert page.locator("p.live-status").inner_text() == said
    opacity = page.locator(".live-cells rect").evaluate_all("cells => cells.map(c => +c.getAttribute('fill-opacity'))")
    torch.testing.assert_close(torch.tensor(opacity), WEIGHTS[1, 2].flatten(), rtol=0, atol=0.00056)  # rounded twice
    assert page.locator(".live-gold:not(.live-off)").count() == len(LINKS)
    page.get_by_label("gold alignment").uncheck()
    assert page.locator(".live-gold:not(.live-off)").count() == 0
    page.locator(".live-cells rect").nth(4 * len(SOURCE) + 5).hover()
    assert "“on” gives “auf”" in page.locator("p.live-status").inner_text()


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
    assert "“the” gives “saß”" in heard.text_content()
    assert len(page.evaluate("window.said.filter(text => text.includes('Katze'))")) == 0


def test_beam_stepper_steps_forward_and_back(visit):
    page = visit("beam-stepper")
    back, forward = page.get_by_role("button", name="Back"), page.get_by_role("button", name="Next")
    assert back.is_disabled()
    for t, step in enumerate(STEPS):
        assert page.locator("tbody th").all_inner_texts() == [" ".join(tokens) for tokens, *_ in step]
        assert_shown(shown(page, "td[data-name=score]"), [score for _, score, _ in step], 3)
        verdicts = [("finished" if tokens[-1] == "</s>" else "kept") if kept else "cut" for tokens, _, kept in step]
        assert page.locator("tbody td:last-child").all_inner_texts() == verdicts
        shown_nodes = sum(len(earlier) for earlier in STEPS[: t + 1])
        assert page.locator("g:not(.live-off) > rect").count() == shown_nodes
        if t + 1 < len(STEPS):
            forward.click()
    assert forward.is_disabled()
    page.keyboard.press("ArrowLeft")  # the focus is still on the last button
    assert "Step 3 of 4" in page.locator("p.live-status").inner_text()
    page.get_by_role("button", name="First step").click()
    assert "Step 1 of 4: 3 candidates, 2 kept (beam width 2)." in page.locator("p.live-status").inner_text()


def assert_positions(page, p, q, dimension, d_model):
    position = torch.arange(40, dtype=torch.float64)[:, None]
    angle = position / 10_000 ** (torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    table = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)  # (length, d_model)
    expected = [table[p, dimension], table[q, dimension], table[p] @ table[q], table[p] @ table[p]]
    assert_shown(shown(page, ".live-facts b"), torch.stack(expected), 3)


def test_position_explorer_equals_the_formula(visit):
    page = visit("position-explorer")
    assert_positions(page, 7, 12, 4, 16)
    page.locator(".live-matrix").focus()
    for key in ["ArrowDown", "ArrowRight", "ArrowRight"]:
        page.keyboard.press(key)
    assert_positions(page, 9, 12, 5, 16)
    assert page.get_by_label("position p").input_value() == "9"
    slide(page, "position q", "ArrowRight", 20)
    slide(page, "d_model", "ArrowRight", 1)
    assert_positions(page, 9, 32, 5, 32)
    slide(page, "d_model", "ArrowLeft", 3)
    assert_positions(page, 9, 32, 3, 4)  # a narrower encoding has no dimension 5: the last one is chosen
    page.locator(".live-cells rect").nth(1 * 40 + 3).click()
    assert_positions(page, 3, 32, 1, 4)
