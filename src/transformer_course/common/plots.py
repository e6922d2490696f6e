"""Figures in the style of the course, the one module that imports matplotlib.

A chapter calls :func:`use_course_style` once. Figures are drawn dark on white and 480 px wide, so that their text is
still 10 px high on a phone; a dark page turns their lightness over (``book/_static/course.css``), which keeps hues.
Lines, bars and maps stay apart for every kind of colour blindness, in light and in dark.

Functions that draw take an ``ax`` to draw into and return it; end the last line of a cell with ``;`` to hide its name.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

import matplotlib as mpl
import numpy as np
import torch
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike
from torch import Tensor

from transformer_course.common.colours import ROLES

PALETTE = ("#34489c", "#c65d12", "#4c996b", "#660028", "#75667f")
MARKERS = ("o", "s", "^", "D", "v")
DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (7, 2, 1.5, 2)), (0, (3, 1)))
ROLE = ROLES  # what a colour means in drawings and formulas, for plots that show the same things
INK, FAINT = "#23252e", "#8c8f98"
WIDTH = 5.0  # inches: 480 px of the page
SEQUENTIAL = LinearSegmentedColormap.from_list("course_sequential", ["#ffffff", "#a9b4de", PALETTE[0], "#182350"])
DIVERGING = LinearSegmentedColormap.from_list(
    "course_diverging", ["#7d3400", PALETTE[1], "#ffffff", PALETTE[0], "#182350"]
)

_STYLE = {
    "axes.axisbelow": True,
    "axes.edgecolor": FAINT,
    "axes.grid": False,
    "axes.labelcolor": INK,
    "axes.prop_cycle": mpl.cycler(color=PALETTE),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "figure.dpi": 96,
    "figure.figsize": (WIDTH, 3.2),
    "figure.constrained_layout.use": True,
    "font.size": 10.5,
    "grid.color": "#dddddf",
    "grid.linewidth": 0.7,
    "image.interpolation": "none",
    "legend.fontsize": 10.5,
    "legend.frameon": False,
    "lines.linewidth": 2,
    "lines.markersize": 5,
    "svg.fonttype": "path",
    "svg.hashsalt": "transformer-course",
    "text.color": INK,
    "xtick.color": INK,
    "xtick.labelsize": 10.5,
    "ytick.color": INK,
    "ytick.labelsize": 10.5,
}
# The same code gives the same file, byte for byte: no date and no version in it.
SVG_METADATA = {"Date": None, "Creator": None}


def use_course_style() -> None:
    """Make figures look alike, and SVG the form in which a notebook shows them; importing alone changes nothing."""
    mpl.rcParams.update(_STYLE)
    try:
        from IPython import get_ipython
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:  # a plain Python without Jupyter
        return
    if get_ipython() is not None:
        set_matplotlib_formats("svg", bbox_inches="tight", pad_inches=0.03, metadata=SVG_METADATA)


def subplots(rows: int = 1, columns: int = 1, height: float = 3.2, **options) -> tuple[Figure, Axes | np.ndarray]:
    """Make a figure of the book's width.

    Args:
        rows: rows of axes, one above the other; on a phone two columns are the most that can be read.
        columns: columns of axes.
        height: of the whole figure, in inches.
        **options: passed on to ``matplotlib.pyplot.subplots``.

    Returns:
        The figure, and one axes or an array of them as from ``matplotlib.pyplot.subplots``.
    """
    return plt.subplots(rows, columns, figsize=(WIDTH, height), layout="constrained", **options)


def heat(
    matrix: ArrayLike | Tensor,
    ax: Axes | None = None,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    diverging: bool = False,
    limit: float | None = None,
    numbers: str | None = None,
    label: str | None = None,
) -> Axes:
    """Draw a matrix as coloured cells.

    Args:
        matrix: ``(m, n)``.
        ax: where to draw; without it a new figure is made.
        rows: m labels, from the top; without them no label is drawn.
        columns: n labels, from the left.
        diverging: True = white is 0 and the two signs have two colours; False = white is 0 and all is of one sign.
        limit: the value that gets the darkest colour; without it the largest magnitude in the matrix.
        numbers: a format such as ``".2f"``; with it every cell shows its number.
        label: what the colours mean; with it a colour bar is drawn.

    Returns:
        The axes.

    Raises:
        ValueError: if the matrix is not a matrix of numbers, the labels do not fit, or a value is below 0 without
            ``diverging``.
    """
    matrix = _array("matrix", matrix, 2)
    for name, labels, size in (("rows", rows, matrix.shape[0]), ("columns", columns, matrix.shape[1])):
        if labels is not None and len(labels) != size:
            raise ValueError(f"{name}: expected {size} labels, got {len(labels)}")
    if not diverging and np.nanmin(matrix, initial=0.0) < 0:
        raise ValueError(f"matrix: expected nothing below 0 (or diverging=True), got {np.nanmin(matrix):.3g}")
    if limit is None:
        limit = float(np.nanmax(np.abs(matrix), initial=0.0)) or 1.0
    if ax is None:
        tall = 3.6 * matrix.shape[0] / max(matrix.shape[1], 1)
        _, ax = subplots(height=min(max(tall, 0.9 if rows is None else 0.22 * len(rows)), 4.4) + 0.8)
    colours = DIVERGING if diverging else SEQUENTIAL
    image = ax.imshow(matrix, cmap=colours, vmin=-limit if diverging else 0, vmax=limit, interpolation="none")
    for axis, labels in ((ax.yaxis, rows), (ax.xaxis, columns)):
        step = math.ceil(len(labels) / 24) if labels is not None else 1  # 24 labels are what the width has room for
        axis.set_ticks([] if labels is None else range(0, len(labels), step), [] if labels is None else labels[::step])
    if columns is not None and max(map(len, columns), default=0) * len(columns) > 30:
        ax.tick_params(axis="x", labelrotation=90)
    ax.tick_params(length=0)
    ax.spines[["top", "right"]].set_visible(True)
    if numbers is not None:
        for (i, j), value in np.ndenumerate(matrix):
            ink, ground = ("white", INK) if abs(value) > 0.5 * limit else (INK, "white")
            # A halo, because no ink can be read on a middle tone both as drawn and turned over for a dark page.
            halo = [withStroke(linewidth=2, foreground=ground, alpha=0.7)]
            number = format(value, numbers).replace("-", "−")
            ax.text(j, i, number, ha="center", va="center", color=ink, path_effects=halo)
    if label is not None:
        bar = ax.figure.colorbar(image, cax=ax.inset_axes((1.04, 0, 0.05, 1)), label=label)
        bar.outline.set_edgecolor(FAINT)
    return ax


def attention_map(
    weights: ArrayLike | Tensor,
    source: Sequence[str],
    target: Sequence[str],
    ax: Axes | None = None,
    alignment: Iterable[tuple[int, int]] | None = None,
) -> Axes:
    """Draw how much each target token attends to each source token, from 0 (white) to 1 (darkest).

    Args:
        weights: ``(target_length, source_length)``.
        source: the tokens that are attended to, from left to right.
        target: the tokens that attend, from top to bottom.
        ax: where to draw; without it a new figure with a colour bar is made.
        alignment: gold links ``(target, source)``, drawn as frames.

    Returns:
        The axes.

    Raises:
        ValueError: if weights and tokens do not fit, or a link is outside the map.
    """
    weights = _array("weights", weights, 2)
    if weights.shape != (len(target), len(source)):
        raise ValueError(f"weights: expected shape (target, source) = {len(target), len(source)}, got {weights.shape}")
    bar = "weight" if ax is None else None
    ax = heat(weights, ax=ax, rows=list(target), columns=list(source), limit=1.0, label=bar)
    for row, column in alignment or ():
        if not (0 <= row < len(target) and 0 <= column < len(source)):
            raise ValueError(f"alignment: expected links (target, source) inside {weights.shape}, got {row, column}")
        frame = plt.Rectangle((column - 0.42, row - 0.42), 0.84, 0.84, fill=False, edgecolor=PALETTE[1], linewidth=2)
        ax.add_patch(frame)
    ax.set(xlabel="source (attended to)", ylabel="target (attends)")
    return ax


def attention_grid(
    weights: ArrayLike | Tensor,
    source: Sequence[str],
    target: Sequence[str],
    titles: Sequence[str] | None = None,
    alignment: Iterable[tuple[int, int]] | None = None,
) -> Figure:
    """Draw the maps of several heads in two columns, with tokens on the outer edges only.

    Args:
        weights: ``(heads, target_length, source_length)``.
        source: the tokens that are attended to.
        target: the tokens that attend.
        titles: one for each head; without them "head 0", "head 1" and so on, as the library counts.
        alignment: gold links ``(target, source)``, drawn as frames in every map.

    Returns:
        The figure.

    Raises:
        ValueError: if weights, tokens and titles do not fit.
    """
    weights = _array("weights", weights, 3)
    titles = [f"head {i}" for i in range(len(weights))] if titles is None else list(titles)
    if len(titles) != len(weights):
        raise ValueError(f"titles: expected {len(weights)}, one for each head, got {len(titles)}")
    links = list(alignment or ())
    rows = math.ceil(len(weights) / 2)
    panel = min(max(1.9 * len(target) / max(len(source), 1), 0.22 * len(target), 0.8), 3.5)
    figure, axes = subplots(rows, 2, height=rows * (panel + 0.3) + 0.7, sharex=True, sharey=True, squeeze=False)
    for ax, title, head in zip(axes.flat, titles, weights, strict=False):
        attention_map(head, source, target, ax=ax, alignment=links)
        ax.set(title=title, xlabel="", ylabel="")
        ax.tick_params(axis="x", labelrotation=90)
    for ax in axes.flat[len(weights) :]:
        ax.set_visible(False)
        axes[-2, -1].tick_params(labelbottom=True) if rows > 1 else None
    figure.supxlabel("source (attended to)", fontsize=10.5)
    figure.supylabel("target (attends)", fontsize=10.5)
    return figure


def curves(
    x: ArrayLike | Tensor,
    runs: Mapping[str, ArrayLike | Tensor],
    ax: Axes | None = None,
    xlabel: str = "",
    ylabel: str = "",
) -> Axes:
    """Draw one line for each name: the mean over seeds, a band from the lowest to the highest, a point for each seed.

    Args:
        x: ``(points,)``.
        runs: for each name ``(seeds, points)``, or ``(points,)`` for a single run.
        ax: where to draw; without it a new figure is made.
        xlabel: what x is, with its unit.
        ylabel: what was measured, with its unit.

    Returns:
        The axes.

    Raises:
        ValueError: if a run does not have as many points as x, or there are more names than colours.
    """
    x = _array("x", x, 1)
    _check_names("runs", runs, at_most=len(PALETTE))
    ax = subplots()[1] if ax is None else ax
    for (name, run), colour, marker, dash in zip(runs.items(), PALETTE, MARKERS, DASHES, strict=False):
        run = np.atleast_2d(_array(f"runs[{name!r}]", run, None))
        if run.ndim != 2 or run.shape[1] != len(x) or not len(run):
            raise ValueError(f"runs[{name!r}]: expected (seeds, {len(x)}) with as many points as x, got {run.shape}")
        few = len(x) <= 20  # more points than that would hide the line
        mean = ax.plot(x, run.mean(axis=0), color=colour, linestyle=dash, label=name, marker=marker if few else None)
        if len(run) > 1:
            ax.fill_between(x, run.min(axis=0), run.max(axis=0), color=colour, alpha=0.18, linewidth=0)
            if few:
                mean[0].set_marker("")
                ax.plot(np.tile(x, len(run)), run.ravel(), marker, color=colour, alpha=0.75, markersize=4)
                mean[0].set_marker(marker)
                mean[0].set_markerfacecolor("white")
    ax.grid(axis="y")
    ax.set(xlabel=xlabel, ylabel=ylabel)
    if len(runs) > 1:
        ax.legend(handlelength=2.6)
    return ax


def bars_with_spread(runs: Mapping[str, ArrayLike | Tensor], ax: Axes | None = None, xlabel: str = "") -> Axes:
    """Draw one bar for each name, as long as the mean over seeds, with a point for each seed and a line between them.

    Args:
        runs: for each name ``(seeds,)``, or a single number.
        ax: where to draw; without it a new figure is made.
        xlabel: what was measured, with its unit.

    Returns:
        The axes.

    Raises:
        ValueError: if there is no name, or a name without a number.
    """
    _check_names("runs", runs)
    ax = subplots(height=0.36 * len(runs) + 0.8)[1] if ax is None else ax
    for place, (name, run) in enumerate(runs.items()):
        run = np.atleast_1d(_array(f"runs[{name!r}]", run, None))
        if run.ndim != 1 or not len(run):
            raise ValueError(f"runs[{name!r}]: expected one number for each seed, got shape {run.shape}")
        ax.barh(place, run.mean(), height=0.62, color=PALETTE[0], alpha=0.35)
        if len(run) > 1:
            ax.plot([run.min(), run.max()], [place, place], color=INK, linewidth=1.2)
            ax.plot(run, np.full(len(run), place), "o", color=INK, markersize=4)
    ax.set_yticks(range(len(runs)), runs)
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")
    ax.set(xlabel=xlabel)
    return ax


def _array(name: str, data: ArrayLike | Tensor, dimensions: int | None) -> np.ndarray:
    if isinstance(data, Tensor):
        data = data.detach().to("cpu", torch.float64)
    try:
        array = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: expected numbers in rows of equal length, got {data!r:.60}") from None
    if dimensions is not None and array.ndim != dimensions:
        raise ValueError(f"{name}: expected {dimensions} dimension(s), got shape {array.shape}")
    return array


def _check_names(name: str, runs: Mapping, at_most: int | None = None) -> None:
    if not isinstance(runs, Mapping) or not runs or (at_most and len(runs) > at_most):
        wanted = f"1 to {at_most}" if at_most else "one or more"
        raise ValueError(f"{name}: expected a dict of {wanted} names with their numbers, got {runs!r:.60}")
