"""Live figures of the book: each function returns an object that Jupyter and the book show as HTML.

The HTML holds a table that says the essential without JavaScript, and the data. In the book a script turns it into a
figure to play with (``book/_static/live``); elsewhere, as in a downloaded notebook, the table stays. A cell shows a
figure that is its last line.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

import torch
from torch import Tensor

from drawings.live_figure import LiveFigure, integers, number, rounded, vector, words


def scores_to_weights(
    query: Tensor | Sequence[float],
    keys: Tensor | Sequence[Sequence[float]],
    values: Tensor | Sequence[Sequence[float]],
    labels: Sequence[str] | None = None,
    temperature: float = 1.0,
) -> LiveFigure:
    """Show one query against keys in the plane: dot products, scores, weights and the weighted mean of the values.

    Source: Vaswani et al. (2017), section 3.2.1, equation 1, with the scores divided by a temperature too.

    Args:
        query: ``(2,)``, where the query starts.
        keys: ``(key_length, 2)``.
        values: ``(key_length, d_v)``; with ``d_v = 2`` they are drawn too.
        labels: one word for each key; without them k1, k2 and so on.
        temperature: where the temperature slider starts, from 1/16 to 16.

    Returns:
        The figure; numbers are rounded to four digits.

    Raises:
        ValueError: if a shape does not fit, a number is not finite, or the temperature is out of range.
    """
    query = rounded("query", query, 1)
    keys, values = rounded("keys", keys, 2), rounded("values", values, 2)
    if query.shape != (2,):
        raise ValueError(f"query: expected shape (2,), a point in the plane, got {tuple(query.shape)}")
    if keys.shape[1] != 2 or not len(keys):
        raise ValueError(f"keys: expected shape (key_length, 2), points in the plane, got {tuple(keys.shape)}")
    if len(values) != len(keys) or not values.shape[1]:
        raise ValueError(f"values: expected {len(keys)} rows as in keys, got shape {tuple(values.shape)}")
    labels = words("labels", labels, len(keys), "k")
    if not 1 / 16 <= temperature <= 16:
        raise ValueError(f"temperature: expected a number from 1/16 to 16, got {temperature}")
    products = keys @ query  # (key_length,)
    scores = products / math.sqrt(2) / temperature
    weights = scores.softmax(-1)
    output = weights @ values  # (d_v,)
    table = zip(labels, products.tolist(), scores.tolist(), weights.tolist(), values.tolist(), strict=True)
    return LiveFigure(
        "scores-to-weights",
        "From scores to weights",
        {"query": query.tolist(), "keys": keys.tolist(), "values": values.tolist(), "labels": labels}
        | {"temperature": temperature},
        ("key", "q · k", "score", "weight", "value"),
        [(label, number(p, 2), number(s, 2), number(w, 3), vector(v, 2)) for label, p, s, w, v in table],
        f"Query {vector(query.tolist(), 2)}, score = q · k / √2 / temperature with temperature {temperature:g}. "
        f"Output, the weighted mean of the values: {vector(output.tolist(), 3)}.",
    )


def softmax_jacobian(products: Mapping[int, Tensor]) -> LiveFigure:
    """Show weights and Jacobian of softmax for dot products of several widths, with n and d_k as separate sliders.

    Source: the Jacobian with respect to the scores, the divided dot products, is ``diag(p) - p^T p``, unit 05.

    Args:
        products: for each d_k the dot products of one query with the keys, ``(key_length,)`` or
            ``(draws, key_length)``, with the same draws for every d_k. The slider for n takes the first n keys.

    Returns:
        The figure; it starts with the largest d_k, divided by sqrt(d_k).

    Raises:
        ValueError: if there is no d_k, or the shapes differ or have fewer than two keys.
    """
    if not isinstance(products, Mapping) or not products:
        raise ValueError(f"products: expected a dict from d_k to dot products, got {products!r:.60}")
    tables = {}
    for d_k, rows in sorted(products.items()):
        name = f"products[{d_k!r}]"
        if not isinstance(d_k, int) or d_k < 1:
            raise ValueError(f"{name}: expected d_k of at least 1, got {d_k!r}")
        rows = torch.as_tensor(rows)
        tables[d_k] = rounded(name, rows[None] if rows.dim() == 1 else rows, 2)
        first = next(iter(tables.values())).shape
        if tables[d_k].shape != first or first[0] < 1 or first[1] < 2:
            raise ValueError(f"{name}: expected the same (draws, at least 2 keys) for all, got {tuple(rows.shape)}")
    rows = []
    for d_k, table in tables.items():
        plain, divided = (_largest_and_norm(table[0], scale) for scale in (1.0, math.sqrt(d_k)))
        rows.append((d_k, *(f"{x:.3g}" for x in (*plain, *divided))))
    return LiveFigure(
        "softmax-jacobian",
        "Softmax and its Jacobian",
        {"d_k": list(tables), "products": [table.tolist() for table in tables.values()]},
        ("d_k", "largest weight, not divided", "norm of the Jacobian", "largest weight, divided", "norm, divided"),
        rows,
        f"{first[1]} keys, temperature 1. The scores are the dot products, or these divided by √d_k. "
        "The norm is Frobenius's, of the derivative with respect to the scores.",
    )


def head_splitter(x: Tensor, splits: Mapping[str, Tensor]) -> LiveFigure:
    """Show where each number of an integer tensor goes when x is split into heads, rightly and wrongly.

    Args:
        x: ``(length, d_model)``, integers that are all different.
        splits: what came out of each way to split, ``(heads, length, d_k)`` or any three sizes, with the code as its
            name. The first one is the right one.

    Returns:
        The figure.

    Raises:
        ValueError: if the numbers of x repeat, or a split does not hold exactly the numbers of x.
    """
    x = integers("x", x, 2)
    if x.unique().numel() != x.numel() or not x.numel():
        raise ValueError("x: expected integers that are all different, got some twice or none")
    if not isinstance(splits, Mapping) or not splits:
        raise ValueError(f"splits: expected a dict from code to its result, got {splits!r:.60}")
    heads = {}
    for name, split in splits.items():
        heads[name] = integers(f"splits[{name!r}]", split, 3)
        if sorted(split.flatten().tolist()) != sorted(x.flatten().tolist()):
            raise ValueError(f"splits[{name!r}]: expected the numbers of x, each once, got others")
    count = max(len(split) for split in heads.values())
    rows = [
        (name, *(" / ".join(" ".join(map(str, row)) for row in head) for head in split.tolist()))
        for name, split in heads.items()
    ]
    return LiveFigure(
        "head-splitter",
        "Splitting the model dimension into heads",
        {"x": x.tolist(), "splits": [{"name": name, "heads": split.tolist()} for name, split in heads.items()]},
        ("code", *(f"head {i}" for i in range(count))),
        rows,
        f"x holds {' / '.join(' '.join(map(str, row)) for row in x.tolist())}, a row for each token.",
    )


def attention_viewer(
    weights: Tensor,
    source: Sequence[str],
    target: Sequence[str],
    alignment: Iterable[tuple[int, int]] | None = None,
    title: str = "Who attends to whom",
) -> LiveFigure:
    """Show attention weights by layer and head, token by token, and the gold alignment over them.

    Args:
        weights: ``(layers, heads, target_length, source_length)``, or without layers, or without heads.
        source: the tokens that are attended to.
        target: the tokens that attend.
        alignment: gold links ``(target, source)``.
        title: what stands above the figure; two on one page need two titles.

    Returns:
        The figure; weights are rounded to three decimals. Layers and heads count from 0.

    Raises:
        ValueError: if weights and tokens do not fit, a weight is outside 0 to 1, or a link is outside the map.
    """
    weights = torch.as_tensor(weights)
    if not 2 <= weights.dim() <= 4:
        raise ValueError(f"weights: expected (layers, heads, target, source), got shape {tuple(weights.shape)}")
    weights = rounded("weights", weights.reshape((1,) * (4 - weights.dim()) + weights.shape), 4)
    source, target = [str(token) for token in source], [str(token) for token in target]
    size = (len(target), len(source))
    if weights.shape[2:] != size or not weights.numel():
        raise ValueError(
            f"weights: expected (..., target, source) = (..., {size[0]}, {size[1]}), got {tuple(weights.shape)}"
        )
    if weights.min() < 0 or weights.max() > 1.0001:
        raise ValueError(f"weights: expected numbers from 0 to 1, got {weights.min():.4g} to {weights.max():.4g}")
    links = sorted({(int(row), int(column)) for row, column in alignment or ()})
    for row, column in links:
        if not (0 <= row < size[0] and 0 <= column < size[1]):
            raise ValueError(f"alignment: expected links (target, source) inside {size}, got {row, column}")
    rows = []
    for i, token in enumerate(target):
        share, best = weights[0, 0, i].max(dim=-1)
        gold = [", ".join(source[column] for row, column in links if row == i)] if alignment is not None else []
        rows.append((token, source[best], f"{share:.2f}", *gold))
    data = {"weights": [[[[round(x, 3) for x in row] for row in m] for m in layer] for layer in weights.tolist()]}
    data |= {"source": source, "target": target} | ({} if alignment is None else {"alignment": links})
    return LiveFigure(
        "attention-viewer",
        title,
        data,
        ("target", "attends most to", "weight", *(["gold"] if alignment is not None else [])),
        rows,
        _first_of(*weights.shape[:2]) if weights[..., 0, 0].numel() > 1 else "",
    )


def _first_of(layers: int, heads: int) -> str:
    """Say which of several maps the table shows."""
    each = " each" if layers > 1 else ""
    return f"Layer 0, head 0, of {layers} layer{'s' * (layers > 1)} with {heads} head{'s' * (heads > 1)}{each}."


def beam_stepper(steps: Sequence[Sequence[tuple[Sequence[str], float, bool]]], eos: str = "</s>") -> LiveFigure:
    """Show a beam search step by step: candidates, their scores, and which were kept.

    Args:
        steps: for each step its candidates ``(tokens, score, kept)``, best first; tokens are the words of the whole
            hypothesis, one more than in the step before, where the hypothesis without its last word was kept.
        eos: the word that ends a hypothesis; a kept candidate that ends with it is shown as finished.

    Returns:
        The figure; the beam width is the largest number of candidates kept in one step.

    Raises:
        ValueError: if a hypothesis has the wrong length or continues none that was kept.
    """
    alive, packed, rows = {(): 0}, [], []
    for t, step in enumerate(steps):
        if not step:
            raise ValueError(f"steps[{t}]: expected one or more candidates, got none")
        packed.append([])
        following = {}
        for i, (tokens, score, kept) in enumerate(step):
            tokens = tuple(map(str, tokens))
            if len(tokens) != t + 1 or tokens[:-1] not in alive:
                raise ValueError(
                    f"steps[{t}][{i}]: expected {t + 1} words that continue a kept hypothesis, got {tokens}"
                )
            if not math.isfinite(score):
                raise ValueError(f"steps[{t}][{i}]: expected a finite score, got {score}")
            ended = tokens[-1] == eos
            packed[-1].append([alive[tokens[:-1]], tokens[-1], round(float(score), 4), bool(kept), ended])
            if kept and not ended:
                following[tokens] = i
            verdict = ("finished" if ended else "kept") if kept else "cut"
            rows.append((t + 1, " ".join(tokens), number(float(score), 3), verdict))
        alive = following
    if not packed:
        raise ValueError("steps: expected one or more steps, got none")
    width = max(sum(candidate[3] for candidate in step) for step in packed)
    return LiveFigure(
        "beam-stepper",
        "Beam search, step by step",
        {"steps": packed, "width": width},
        ("step", "hypothesis", "score", ""),
        rows,
        f"At most {width} hypotheses are kept in a step; a finished one ends with {eos}.",
    )


def position_explorer(length: int = 50, d_model: int = 32, positions: tuple[int, int] = (10, 20)) -> LiveFigure:
    """Show sinusoidal encodings: one dimension as a wave over positions, and dot products by offset.

    Source: Vaswani et al. (2017), section 3.5.

    Args:
        length: number of positions, 2 to 128.
        d_model: where the slider of the width starts: 2, 4, 8, 16, 32 or 64.
        positions: the two positions that are compared at first.

    Returns:
        The figure; the page computes the encodings itself.

    Raises:
        ValueError: if a number is out of range.
    """
    if not 2 <= length <= 128:
        raise ValueError(f"length: expected 2 to 128 positions, got {length}")
    if d_model not in (2, 4, 8, 16, 32, 64):
        raise ValueError(f"d_model: expected 2, 4, 8, 16, 32 or 64, got {d_model}")
    if len(positions) != 2 or not all(0 <= position < length for position in positions):
        raise ValueError(f"positions: expected two from 0 to {length - 1}, got {positions}")
    # The dot product of two encodings is the sum of cos(frequency * offset) over the d_model / 2 frequencies.
    frequency = 10_000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    offsets = sorted({0, 1, 2, 5, 10, abs(positions[0] - positions[1]), length - 1})
    rows = [(k, number((frequency * k).cos().sum().item(), 3)) for k in offsets if k < length]
    return LiveFigure(
        "position-explorer",
        "Sinusoidal positions",
        {"length": length, "d_model": d_model, "positions": list(positions)},
        ("offset", "dot product"),
        rows,
        f"Dot products of two encodings with d_model = {d_model}: they depend on the offset alone, wherever the pair "
        "stands.",
    )


def _largest_and_norm(products: Tensor, scale: float) -> tuple[float, float]:
    """Return the largest weight, and the Frobenius norm of the Jacobian with respect to the scores."""
    weights = (products / scale).softmax(-1)  # (key_length,)
    jacobian = weights.diag() - weights.outer(weights)  # (key_length, key_length)
    return weights.max().item(), jacobian.norm().item()
