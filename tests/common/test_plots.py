"""The figures: what is drawn, how big the text is on a phone, contrast in light and dark, the same file twice."""

import importlib
import io
import itertools
import re

import matplotlib as mpl
import numpy as np
import pytest
import torch
from colour_vision import BLINDNESS, contrast, lab, linear
from matplotlib import colors
from matplotlib import pyplot as plt
from matplotlib.text import Text

from transformer_course.common import plots

SOURCE, TARGET = ["die", "Katze", "saß", "</s>"], ["the", "cat", "</s>"]
WEIGHTS = torch.softmax(torch.randn(5, 3, 4, generator=torch.Generator().manual_seed(0)), dim=-1)
X = np.array([5, 10, 15, 20])
RUNS = {"one": np.array([[0.9, 0.8, 0.5, 0.1], [1.0, 0.6, 0.4, 0.2], [0.8, 0.7, 0.3, 0.3]]), "two": torch.ones(4)}


@pytest.fixture(autouse=True)
def style():
    with mpl.rc_context(), mpl.rc_context({"backend": "agg"}):
        plots.use_course_style()
        yield
        plt.close("all")


@pytest.fixture(scope="module")
def drawings():
    """One of each, with labels as many as a reader will meet."""
    with mpl.rc_context({"backend": "agg"}):
        plots.use_course_style()
        return _draw()


def _draw():
    words = [f"word{i}" for i in range(12)]
    many = torch.softmax(torch.randn(6, 12, 12, generator=torch.Generator().manual_seed(1)), dim=-1)
    return {
        "attention_map": plots.attention_map(many[0], words, words, alignment=[(0, 1)]).figure,
        "attention_grid": plots.attention_grid(many, words, words),
        "curves": plots.curves(X, RUNS, xlabel="source length (words)", ylabel="exact match").figure,
        "bars_with_spread": plots.bars_with_spread({"Bahdanau (additive)": [0.1, 0.2], "dot": 0.3}, xlabel="x").figure,
        "heat": plots.heat(-many[0], diverging=True, numbers=".1f", label="derivative").figure,
    }


def svg(figure) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", bbox_inches="tight", pad_inches=0.03, metadata=plots.SVG_METADATA)
    return file.getvalue()


@pytest.mark.parametrize("name", ["attention_map", "attention_grid", "curves", "bars_with_spread", "heat"])
def test_text_is_at_least_ten_pixels_high_on_a_phone(name, drawings):
    figure = drawings[name]
    width = float(re.search(r'width="([\d.]+)pt"', svg(figure))[1])  # points
    sizes = [text.get_fontsize() for text in figure.findobj(Text) if text.get_text().strip() and text.get_visible()]
    room = 390 - 2 * 16  # what the page leaves of a phone's 390 px
    assert min(sizes) * min(room / width, 4 / 3) >= 10


@pytest.mark.parametrize("name", ["attention_map", "attention_grid", "curves", "bars_with_spread", "heat"])
def test_tick_labels_do_not_overlap(name, drawings):
    figure = drawings[name]
    figure.canvas.draw()
    for axes in figure.axes:
        for axis, start, end in ((axes.xaxis, "x0", "x1"), (axes.yaxis, "y0", "y1")):
            shown = [label for label in axis.get_ticklabels() if label.get_visible() and label.get_text()]
            boxes = sorted((label.get_window_extent() for label in shown), key=lambda box: getattr(box, start))
            assert all(getattr(a, end) <= getattr(b, start) + 1 for a, b in itertools.pairwise(boxes))


def test_the_same_code_gives_the_same_file_without_a_date():
    first, second = (svg(plots.curves(X, RUNS).figure) for _ in range(2))
    assert first == second
    assert "<dc:date>" not in first
    assert mpl.__version__ not in first


def test_importing_changes_no_setting():
    with mpl.rc_context():
        mpl.rcdefaults()
        before = dict(mpl.rcParams)
        importlib.reload(plots)
        assert dict(mpl.rcParams) == before
        plots.use_course_style()
        assert dict(mpl.rcParams) != before


# As CSS Filter Effects define invert(.91) and hue-rotate(180deg), which the book applies on a dark page.
_TURN = 2 * np.array([[0.213, 0.715, 0.072]] * 3) - np.eye(3)


def _in_dark(rgb):
    return np.clip(_TURN @ (0.91 - 0.82 * np.asarray(rgb)), 0, 1)


VIEWS = {"light": (np.asarray, "#fdfcfa"), "dark": (_in_dark, "#15171c")}


@pytest.mark.parametrize("view", VIEWS)
def test_ink_and_palette_have_contrast_in_light_and_dark(view):
    change, page = VIEWS[view]
    page = colors.to_rgb(page)
    white = change(colors.to_rgb("white"))  # the ground of the figure itself
    for ground in (page, white):
        assert contrast(change(colors.to_rgb(plots.INK)), ground) >= 7
        assert all(contrast(change(colors.to_rgb(c)), ground) >= 3 for c in plots.PALETTE)  # lines, not text
    assert contrast(page, white) < 1.06  # the figure shows no plate


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_palette_stays_apart_for_the_colour_blind(view, blindness):
    change, _ = VIEWS[view]
    seen = [lab(np.asarray(BLINDNESS[blindness]) @ linear(change(colors.to_rgb(c)))) for c in plots.PALETTE]
    distances = [np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)]
    assert min(distances) > 20  # 2.3 is just noticeable


def test_sequential_map_grows_steadily_darker():
    shades = [float(linear(plots.SEQUENTIAL(x)[:3]) @ [0.2126, 0.7152, 0.0722]) for x in np.linspace(0, 1, 33)]
    assert all(a > b for a, b in itertools.pairwise(shades))
    assert plots.DIVERGING(0.5)[:3] == pytest.approx((1, 1, 1), abs=0.01)


def test_attention_map_shows_the_weights_on_one_scale_with_gold_links():
    ax = plots.attention_map(WEIGHTS[0], SOURCE, TARGET, alignment={(1, 2)})
    image = ax.get_images()[0]
    np.testing.assert_allclose(image.get_array(), WEIGHTS[0])
    assert image.get_clim() == (0, 1)
    assert [label.get_text() for label in ax.get_yticklabels()] == TARGET
    assert [label.get_text() for label in ax.get_xticklabels()] == SOURCE
    (frame,) = ax.patches
    assert (frame.get_x() + frame.get_width() / 2, frame.get_y() + frame.get_height() / 2) == pytest.approx((2, 1))


def test_attention_map_draws_into_given_axes():
    _, axes = plots.subplots(1, 2)
    assert plots.attention_map(WEIGHTS[0], SOURCE, TARGET, ax=axes[1]) is axes[1]
    assert not axes[0].get_images()


def test_attention_grid_has_one_panel_for_each_head():
    figure = plots.attention_grid(WEIGHTS, SOURCE, TARGET)
    panels = [ax for ax in figure.axes if ax.get_visible()]
    assert [ax.get_title(loc="left") for ax in panels] == [f"head {i}" for i in range(5)]
    for ax, head in zip(panels, WEIGHTS, strict=True):
        np.testing.assert_allclose(ax.get_images()[0].get_array(), head)


def test_curves_show_mean_band_and_every_seed():
    ax = plots.curves(X, RUNS, xlabel="length", ylabel="accuracy")
    mean, seeds = ax.lines[:2]
    np.testing.assert_allclose(mean.get_ydata(), [0.9, 0.7, 0.4, 0.2])
    assert sorted(seeds.get_ydata()) == pytest.approx(sorted(RUNS["one"].ravel()))
    heights = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == pytest.approx((0.1, 1.0))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["one", "two"]
    assert len({line.get_linestyle() for line in ax.lines if line.get_label() in RUNS}) == 2  # not by colour alone
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("length", "accuracy")


def test_bars_show_the_mean_and_every_seed():
    ax = plots.bars_with_spread({"a": [1.0, 3.0, 8.0], "b": 2.0}, xlabel="error")
    assert [bar.get_width() for bar in ax.patches] == [4, 2]
    assert list(ax.lines[0].get_xdata()) == [1, 8]
    assert list(ax.lines[1].get_xdata()) == [1, 3, 8]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]


def test_heat_is_white_at_zero_and_writes_its_numbers():
    ax = plots.heat(torch.tensor([[0.5, -1.0, 0.0]]), diverging=True, numbers=".1f")
    assert ax.get_images()[0].get_clim() == (-1, 1)
    assert [text.get_text() for text in ax.texts] == ["0.5", "−1.0", "0.0"]
    assert plots.heat(np.zeros((2, 3))).get_images()[0].get_clim() == (0, 1)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (
            lambda: plots.attention_map(WEIGHTS[0], TARGET, SOURCE),
            r"weights: expected shape .* = \(4, 3\), got \(3, 4\)",
        ),
        (lambda: plots.attention_map(WEIGHTS, SOURCE, TARGET), r"weights: expected 2 dimension\(s\), got shape"),
        (lambda: plots.attention_map(WEIGHTS[0], SOURCE, TARGET, alignment=[(3, 0)]), "alignment: expected links"),
        (lambda: plots.attention_grid(WEIGHTS, SOURCE, TARGET, titles=["a"]), "titles: expected 5, .* got 1"),
        (lambda: plots.heat([[1.0, -2.0]]), "matrix: expected nothing below 0 .* got -2"),
        (lambda: plots.heat([[1.0], [2.0, 3.0]]), "matrix: expected numbers in rows of equal length"),
        (lambda: plots.heat([[1.0, 2.0]], rows=["a", "b"]), "rows: expected 1 labels, got 2"),
        (lambda: plots.curves(X, {"a": [1.0, 2.0]}), r"runs\['a'\]: expected \(seeds, 4\) .* got \(1, 2\)"),
        (lambda: plots.curves(X, {}), "runs: expected a dict of 1 to 5 names"),
        (lambda: plots.curves(X, {str(i): X for i in range(6)}), "runs: expected a dict of 1 to 5 names"),
        (lambda: plots.bars_with_spread({"a": []}), r"runs\['a'\]: expected one number for each seed"),
        (lambda: plots.bars_with_spread([1.0]), "runs: expected a dict of one or more names"),
    ],
)
def test_errors_name_argument_expected_and_got(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()
