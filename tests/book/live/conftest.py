"""Live figures in a real browser: small pages beside the book's own static files, opened from file://."""

import math
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from drawings import live, live_pictures
from drawings.live_heads import heads_over_updates
from drawings.live_softmax import running_softmax

STATIC = Path(__file__).parents[3] / "book" / "_static"

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
MAPS = {name: torch.rand(3, 5, 5, generator=GENERATOR).tril() for name in ("layer 0, head 1", "layer 1, head 3")}
LINKS = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8)]
SCORES, NUMBERS = [0.5, -1.25, 2.0, 1.0, 3.5, -0.5, 2.5], [1.0, -2.0, 4.0, 0.5, -1.0, 3.0, 2.0]
IMAGES = torch.nn.functional.pad(torch.rand(2, 4, 4, generator=GENERATOR), (2, 2, 2, 2))
SAID = {
    name: (
        torch.randn(2, 5, 5, 3, generator=GENERATOR).softmax(-1),
        torch.randn(2, 5, 5, 16, generator=GENERATOR).softmax(-1).unflatten(-1, (4, 4)),
    )
    for name in ("still", "moved")
}
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


@pytest.fixture(scope="session")
def example() -> SimpleNamespace:
    """The data that the figures show."""
    return SimpleNamespace(
        keys=KEYS,
        values=VALUES,
        words=WORDS,
        products=PRODUCTS,
        x=X,
        splits=SPLITS,
        source=SOURCE,
        target=TARGET,
        weights=WEIGHTS,
        links=LINKS,
        steps=STEPS,
        images=IMAGES,
        said=SAID,
        scores=SCORES,
        numbers=NUMBERS,
    )


@pytest.fixture(scope="session")
def translator_figure(extension):
    """The function of the book's extension that makes the translator, and everything it can show."""
    made = extension("course_translator")
    chapters = {number: {"url": f"#{number}", "title": f"chapter {number}"} for number in made.SWITCHES.values()}
    return made.figure(list(made.SHOWN), made.SENTENCE, made.OTHER, made.TITLE, chapters)


@pytest.fixture(scope="session")
def figures(translator_figure) -> dict[str, live.LiveFigure]:
    """One figure of each kind."""
    return {
        "translator-figure": translator_figure,
        "scores-to-weights": live.scores_to_weights([1.2, 0.7], KEYS, VALUES, WORDS),
        "softmax-jacobian": live.softmax_jacobian(PRODUCTS),
        "head-splitter": live.head_splitter(X, SPLITS),
        "attention-viewer": live.attention_viewer(WEIGHTS, SOURCE, TARGET, LINKS),
        "beam-stepper": live.beam_stepper(STEPS),
        "position-explorer": live.position_explorer(length=40, d_model=16, positions=(7, 12)),
        "heads-over-updates": heads_over_updates((0, 50, 100), MAPS, "ABCAB", {"loss": (4.2, 2.0, 0.1)}),
        "picture-mover": live_pictures.picture_mover(IMAGES, SAID, ["b", "c"], ["a", "b", "c"]),
        "running-softmax": running_softmax(SCORES, NUMBERS, block_size=2),
    }


@pytest.fixture(scope="session")
def folder(tmp_path_factory, figures) -> Path:
    """A page for each figure and one with all of them twice, beside the same static files as the book's."""
    root = tmp_path_factory.mktemp("site")
    shutil.copytree(STATIC, root / "_static", ignore=shutil.ignore_patterns("katex"))
    theme = pytest.importorskip("pydata_sphinx_theme", reason="needs the theme of the book")
    styles = Path(theme.__file__).parent / "theme/pydata_sphinx_theme/static/styles"
    shutil.copytree(styles, root / "_static" / "styles")
    (root / "book").mkdir()
    parts = {tag: figure._repr_html_() for tag, figure in figures.items()}
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


@pytest.fixture
def visit(browser, folder, figures):
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
                arg=list(figures),
            )
        return page

    yield go
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def write(folder, figures):
    """Write a page with another figure, or with something else changed."""

    def page(name: str, figure: live.LiveFigure | None = None, change: tuple[str, str] = ("", "")) -> None:
        text = (folder / "book" / "scores-to-weights.html").read_text()
        if figure is not None:
            text = text.replace(figures["scores-to-weights"]._repr_html_(), figure._repr_html_())
        (folder / "book" / f"{name}.html").write_text(text.replace(*change))

    return page
