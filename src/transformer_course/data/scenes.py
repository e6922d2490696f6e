"""A built-in world of small pictures: one to four coloured shapes, each inside one patch of a grid, each in a column.

Chapters 15 and 16. Everything about a scene is known: what stands where, and which pixel belongs to which object. So
captions (``data.captions``) and questions have one right answer, and a model that points at a patch can be checked.

Dimension names: ``batch``, ``objects`` = ``MAX_OBJECTS`` places for objects, from left to right, the last ones empty.
"""

from dataclasses import dataclass, fields

import torch
from torch import Tensor

from transformer_course.common.validation import require_not_negative, require_one_of

IMAGE_SIZE, PATCH, CHANNELS = 40, 8, 3
GRID = IMAGE_SIZE // PATCH
MAX_OBJECTS = 4
NOTHING = -1

SIZES = ("small", "large")
COLOURS = ("red", "green", "blue", "yellow", "purple")
SHAPES = ("circle", "square", "triangle", "cross")
NEW_PAIRS = (("red", "circle"), ("green", "square"), ("blue", "triangle"), ("yellow", "cross"))
"""The pairs of colour and shape that stand in scenes of the split ``composition`` alone."""

SPLITS = ("train", "validation", "test", "composition")

RGB = ((0.90, 0.22, 0.21), (0.20, 0.70, 0.30), (0.23, 0.45, 0.95), (0.97, 0.83, 0.18), (0.68, 0.35, 0.85))
BACKGROUND, NOISE = 0.10, 0.10
WIDTHS = (5, 7)
"""Pixels from side to side, by size."""

_new = [(COLOURS.index(colour), SHAPES.index(shape)) for colour, shape in NEW_PAIRS]
_known = [(c, s) for c in range(len(COLOURS)) for s in range(len(SHAPES)) if (c, s) not in _new]
_NEW, _KNOWN = torch.tensor(_new), torch.tensor(_known)  # (pairs, 2)
_NUMBER_OF_CODES = 1 + GRID * GRID * len(SIZES) * len(COLOURS) * len(SHAPES)
_MIXER = -7046029254386353131  # 2**64 divided by the golden ratio, as a signed number: it scatters the bits


@dataclass(frozen=True)
class Scenes:
    """A batch of scenes: five whole numbers for each object, ``NOTHING`` where there is none.

    Args:
        columns: ``(batch, objects)``, 0 is on the left; they rise, because no two objects share a column.
        rows: ``(batch, objects)``, 0 is on top.
        sizes: ``(batch, objects)``, places in ``SIZES``.
        colours: ``(batch, objects)``, places in ``COLOURS``.
        shapes: ``(batch, objects)``, places in ``SHAPES``.
    """

    columns: Tensor
    rows: Tensor
    sizes: Tensor
    colours: Tensor
    shapes: Tensor

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, chosen: slice | Tensor | list[int]) -> "Scenes":
        """Choose scenes by a slice, a list of numbers or a mask."""
        return Scenes(*(getattr(self, each.name)[chosen] for each in fields(self)))

    @property
    def present(self) -> Tensor:
        """Say where there is an object: ``(batch, objects)``, bool."""
        return self.shapes != NOTHING

    @property
    def num_objects(self) -> Tensor:
        """Count the objects of each scene: ``(batch,)``, from 1 to 4."""
        return self.present.sum(dim=1)


def draw_scenes(count: int, split: str, generator: torch.Generator, num_objects: int | None = None) -> Scenes:
    """Draw scenes of a split; no scene of one split can come up in another.

    Which split a scene belongs to is a matter of the scene alone: a scene with a pair of ``NEW_PAIRS`` is one of
    ``composition``, and of all others a fixed scrambling of their numbers sends one in ten to ``test``, one in ten to
    ``validation`` and the rest to ``train``.

    Args:
        count: how many.
        split: one of ``SPLITS``; in ``composition`` one object of each scene has a new pair.
        generator: for the random numbers.
        num_objects: in each scene; None draws 1 to 4, each as often.

    Returns:
        The scenes, in random order; the same scene may come more than once.

    Raises:
        ValueError: if count is negative, there is no such split, or num_objects is not from 1 to 4.

    >>> scenes = draw_scenes(3, "test", torch.Generator().manual_seed(0))
    >>> split_of(scenes)
    ['test', 'test', 'test']
    """
    require_not_negative("count", count)
    require_one_of("split", split, SPLITS)
    if num_objects is not None and not 1 <= num_objects <= MAX_OBJECTS:
        raise ValueError(f"num_objects: expected 1 to {MAX_OBJECTS}, got {num_objects}")
    numbers = torch.randint(1, MAX_OBJECTS + 1, (count,), generator=generator)
    if num_objects is not None:
        numbers.fill_(num_objects)
    scenes = _draw(numbers, split, generator)
    wanted = SPLITS.index(split)
    while (wrong := _split_numbers(scenes) != wanted).any():
        again = _draw(numbers[wrong], split, generator)  # as many objects, so that every number stays as frequent
        for each in fields(scenes):
            getattr(scenes, each.name)[wrong] = getattr(again, each.name)
    return scenes


def split_of(scenes: Scenes) -> list[str]:
    """Name the split that each scene belongs to."""
    return [SPLITS[number] for number in _split_numbers(scenes).tolist()]


def scene_numbers(scenes: Scenes) -> Tensor:
    """Number the scenes: ``(batch,)``, two scenes have the same number only if they are the same."""
    cells = scenes.rows * GRID + scenes.columns
    codes = ((cells * len(SIZES) + scenes.sizes) * len(COLOURS) + scenes.colours) * len(SHAPES) + scenes.shapes
    codes = torch.where(scenes.present, codes + 1, 0)  # (batch, objects)
    places = torch.tensor([_NUMBER_OF_CODES**place for place in range(MAX_OBJECTS)])
    return (codes * places).sum(dim=1)


def paint(scenes: Scenes, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Paint scenes. Where in its patch an object stands, and how bright each pixel is, varies a little.

    Args:
        scenes: as from :func:`draw_scenes`.
        generator: for what varies; the same scene never gives the same picture twice.

    Returns:
        The images ``(batch, 3, 40, 40)``, from 0 to 1, and the owners ``(batch, 40, 40)``, long: the number of the
        object that painted a pixel, counted from the left, -1 for none.
    """
    batch = len(scenes)
    owner = torch.full((batch, IMAGE_SIZE, IMAGE_SIZE), NOTHING)
    images = torch.full((batch, CHANNELS, IMAGE_SIZE, IMAGE_SIZE), BACKGROUND)
    scene, place = scenes.present.nonzero(as_tuple=True)  # both (painted,)
    which = (scene, place)
    # Each object is stamped into a patch that is empty, somewhere in it.
    sizes, pixels = scenes.sizes[which], torch.arange(PATCH)
    slack = PATCH + 1 - torch.tensor(WIDTHS)[sizes]  # (painted,), how many places there are in each direction
    shift = (torch.rand(2, len(scene), generator=generator) * slack).long()  # (2, painted)
    down, across = (pixels - shift[..., None]) % PATCH  # both (painted, patch)
    masks = stamps()[sizes[:, None, None], scenes.shapes[which][:, None, None], down[:, :, None], across[:, None, :]]
    shades = 0.85 + 0.15 * torch.rand(len(scene), 1, generator=generator)
    paints = torch.tensor(RGB)[scenes.colours[which]] * shades  # (painted, 3)
    painted, y, x = masks.nonzero(as_tuple=True)  # the pixels of all objects
    y, x = y + PATCH * scenes.rows[which][painted], x + PATCH * scenes.columns[which][painted]
    owner[scene[painted], y, x] = place[painted]
    images[scene[painted], :, y, x] = paints[painted]
    noise = torch.rand(images.shape, generator=generator)
    return images.add_(noise.sub_(0.5), alpha=NOISE).clamp_(0, 1), owner


def stamps() -> Tensor:
    """Cut every shape out in every size: ``(sizes, shapes, patch, patch)``, bool, in the upper left corner.

    >>> for row in stamps()[0, SHAPES.index("triangle"), :5, :5].tolist():
    ...     print("".join(".#"[pixel] for pixel in row))
    ..#..
    ..#..
    .###.
    .###.
    #####
    """
    cut = torch.zeros(len(SIZES), len(SHAPES), PATCH, PATCH, dtype=torch.bool)
    for size, width in enumerate(WIDTHS):
        middle = width // 2
        y, x = torch.meshgrid(*(torch.arange(width) - middle,) * 2, indexing="ij")  # both (width, width)
        cut[size, :, :width, :width] = torch.stack(
            [
                x.square() + y.square() <= (middle + 0.35) ** 2,
                torch.ones_like(x, dtype=torch.bool),
                2 * x.abs() <= y + middle,
                torch.minimum(x.abs(), y.abs()) <= size,
            ]
        )
    return cut


def describe(scenes: Scenes) -> list[list[tuple[str, str, str, int, int]]]:
    """List the objects of each scene in words: size, colour, shape, row, column."""
    return [
        [
            (SIZES[size], COLOURS[colour], SHAPES[shape], row, column)
            for size, colour, shape, row, column in zip(*numbers, strict=True)
            if shape != NOTHING
        ]
        for numbers in zip(
            *(each.tolist() for each in (scenes.sizes, scenes.colours, scenes.shapes, scenes.rows, scenes.columns)),
            strict=True,
        )
    ]


def _draw(numbers: Tensor, split: str, generator: torch.Generator) -> Scenes:
    batch = len(numbers)
    present = torch.arange(MAX_OBJECTS) < numbers[:, None]  # (batch, objects)

    def draw(high: int) -> Tensor:
        return torch.randint(high, (batch, MAX_OBJECTS), generator=generator)

    # Columns without repetition: the places of the largest of five random numbers; then from left to right.
    columns = torch.rand(batch, GRID, generator=generator).argsort(dim=1)[:, :MAX_OBJECTS]
    columns = torch.where(present, columns, GRID).sort(dim=1).values
    pairs = _KNOWN[draw(len(_KNOWN))]  # (batch, objects, 2)
    if split == "composition":
        lucky = (torch.rand(batch, generator=generator) * numbers).long()  # the object with the new pair
        pairs[torch.arange(batch), lucky] = _NEW[torch.randint(len(_NEW), (batch,), generator=generator)]
    drawn = (columns, draw(GRID), draw(len(SIZES)), pairs[..., 0], pairs[..., 1])
    return Scenes(*(torch.where(present, each, NOTHING) for each in drawn))


def _split_numbers(scenes: Scenes) -> Tensor:
    is_new = torch.zeros(len(scenes), dtype=torch.bool)
    for colour, shape in _NEW.tolist():
        is_new |= ((scenes.colours == colour) & (scenes.shapes == shape)).any(dim=1)
    tenth = ((scene_numbers(scenes) * _MIXER >> 40) & 0xFFFF) % 10
    names = torch.full((len(scenes),), SPLITS.index("train"))
    names[tenth == 0] = SPLITS.index("test")
    names[tenth == 1] = SPLITS.index("validation")
    names[is_new] = SPLITS.index("composition")
    return names
