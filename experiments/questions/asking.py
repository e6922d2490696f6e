"""Questions about the built-in scenes, each with one right answer.

Chapter 16. Four kinds, equally frequent: ``what colour is the cross ?`` or ``what shape is the red one ?``
(attribute), ``is there a red cross ?`` (exists), ``how many crosses are there ?`` (count), ``is the red cross above
the blue circle ?`` (relation). The answers of a kind are equally frequent too: the answer is drawn first, then scenes
until one fits. So a model that does not look at the picture cannot do much better than guess.
"""

import torch
from torch import Tensor

from transformer_course.common.tokens import PAD, Vocabulary
from transformer_course.common.validation import require_not_negative
from transformer_course.data.scenes import COLOURS, MAX_OBJECTS, NEW_PAIRS, SHAPES, Scenes, draw_scenes

KINDS = ("attribute", "exists", "count", "relation")
PLACES = ("above", "below", "left", "right")
COUNTS = ("0", "1", "2", "3")
ANSWERS = ("no", "yes", *COUNTS, *COLOURS, *SHAPES)
PLURALS = ("circles", "squares", "triangles", "crosses")
_FIXED = ("what", "colour", "shape", "is", "the", "one", "there", "a", "how", "many", "ones", "are", "of", "?")
QUESTION_WORDS = Vocabulary([*_FIXED, *PLACES, *COLOURS, *SHAPES, *PLURALS])
QUESTION_LENGTH = 10

_NO, _YES = ANSWERS.index("no"), ANSWERS.index("yes")
_FIRST = {"count": ANSWERS.index("0"), "colour": ANSWERS.index("red"), "shape": ANSWERS.index("circle")}
_TEMPLATES = {
    "colour": "what colour is the {shape} ?",
    "shape": "what shape is the {colour} one ?",
    "exists": "is there a {colour} {shape} ?",
    "count shape": "how many {plural} are there ?",
    "count colour": "how many {colour} ones are there ?",
    "above": "is the {colour} {shape} above the {colour2} {shape2} ?",
    "below": "is the {colour} {shape} below the {colour2} {shape2} ?",
    "left": "is the {colour} {shape} left of the {colour2} {shape2} ?",
    "right": "is the {colour} {shape} right of the {colour2} {shape2} ?",
}


def draw_questions(count: int, split: str, generator: torch.Generator) -> tuple[Scenes, Tensor, Tensor, Tensor]:
    """Draw scenes and a question about each.

    Args:
        count: how many.
        split: one of the splits of :func:`~transformer_course.data.scenes.draw_scenes`; of every split but
            ``composition`` no question speaks of a pair of ``NEW_PAIRS``.
        generator: for the random numbers.

    Returns:
        The scenes; the questions ``(batch, QUESTION_LENGTH)``, long, PAD at the end; the answers ``(batch,)``, places
        in ``ANSWERS``; the kinds ``(batch,)``, places in ``KINDS``.

    Raises:
        ValueError: if count is negative, or there is no such split.
    """
    require_not_negative("count", count)
    kinds = torch.randint(len(KINDS), (count,), generator=generator)
    which = torch.randint(1 << 20, (count,), generator=generator)  # what is wanted, fixed before there is a scene
    scenes = draw_scenes(count, split, generator)
    questions = torch.full((count, QUESTION_LENGTH), PAD)
    answers = torch.zeros(count, dtype=torch.long)
    missing = torch.arange(count)
    while len(missing):
        again = draw_scenes(len(missing), split, generator)
        done = torch.zeros(len(missing), dtype=torch.bool)
        for kind, ask in enumerate((_attribute, _exists, _count, _relation)):
            rows = (kinds[missing] == kind).nonzero()[:, 0]
            fits, asked, answer = ask(again[rows], which[missing[rows]], generator)
            done[rows] = fits
            questions[missing[rows[fits]]], answers[missing[rows[fits]]] = asked[fits], answer[fits]
        for name in ("columns", "rows", "sizes", "colours", "shapes"):
            getattr(scenes, name)[missing[done]] = getattr(again, name)[done]
        missing = missing[~done]
    return scenes, questions, answers, kinds


def question_words(questions: Tensor) -> list[list[str]]:
    """Write questions ``(batch, length)`` as lists of words."""
    return [QUESTION_WORDS.decode(row) for row in questions.tolist()]


def _attribute(scenes: Scenes, which: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Ask for the colour of the only object of its shape, or for the shape of the only one of its colour."""
    asks_colour = which % 2 == 0
    colour, shape = which // 2 % len(COLOURS), which // 2 % len(SHAPES)
    wanted = torch.where(asks_colour[:, None], scenes.colours == colour[:, None], scenes.shapes == shape[:, None])
    named = torch.where(asks_colour[:, None], scenes.shapes, scenes.colours)  # (batch, objects)
    same = named[:, :, None] == named[:, None, :]
    fits = wanted & (same.sum(dim=2) == 1) & scenes.present
    fitting, place = _choose(fits, generator)
    seen = _at(scenes, place)
    asked = torch.where(asks_colour[:, None], _ask("colour", *seen), _ask("shape", *seen))
    return fitting, asked, torch.where(asks_colour, colour + _FIRST["colour"], shape + _FIRST["shape"])


def _exists(scenes: Scenes, which: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Ask for a pair that is there, or for one that is not."""
    wanted = which % 2 == 1
    pairs = torch.zeros(len(scenes), len(COLOURS), len(SHAPES), dtype=torch.bool)
    scene, place = scenes.present.nonzero(as_tuple=True)
    pairs[scene, scenes.colours[scene, place], scenes.shapes[scene, place]] = True
    is_new = torch.zeros(len(COLOURS), len(SHAPES), dtype=torch.bool)
    for colour, shape in NEW_PAIRS:
        is_new[COLOURS.index(colour), SHAPES.index(shape)] = True
    # In a scene with a new pair all questions are about new pairs, else none: nothing is given away by that.
    allowed = torch.where((pairs & is_new).flatten(1).any(dim=1)[:, None, None], is_new, ~is_new)
    fits = torch.where(wanted[:, None, None], pairs, ~pairs) & allowed
    fitting, pair = _choose(fits.flatten(1), generator)
    return fitting, _ask("exists", pair // len(SHAPES), pair % len(SHAPES)), wanted.long()


def _count(scenes: Scenes, which: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Ask how many objects have a colour or a shape."""
    wanted, asks_shape = which % len(COUNTS), which // len(COUNTS) % 2 == 1
    by_colour = (scenes.colours[:, :, None] == torch.arange(len(COLOURS))).sum(dim=1)
    by_shape = (scenes.shapes[:, :, None] == torch.arange(len(SHAPES))).sum(dim=1)
    colour_fits, colour = _choose(by_colour == wanted[:, None], generator)
    shape_fits, shape = _choose(by_shape == wanted[:, None], generator)
    asked = torch.where(asks_shape[:, None], _ask("count shape", colour, shape), _ask("count colour", colour, shape))
    return torch.where(asks_shape, shape_fits, colour_fits), asked, wanted + _FIRST["count"]


def _relation(scenes: Scenes, which: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Ask where one object is, seen from another; both are the only ones of their colour and shape."""
    relation, wanted = which % len(PLACES), which // len(PLACES) % 2 == 1
    pairs = scenes.colours * len(SHAPES) + scenes.shapes
    alone = ((pairs[:, :, None] == pairs[:, None, :]).sum(dim=2) == 1) & scenes.present
    down = scenes.rows[:, :, None] - scenes.rows[:, None, :]  # (batch, first, second)
    across = scenes.columns[:, :, None] - scenes.columns[:, None, :]
    holds = torch.stack([down < 0, down > 0, across < 0, across > 0], dim=1)
    holds = holds[torch.arange(len(scenes)), relation]  # (batch, first, second)
    others = ~torch.eye(MAX_OBJECTS, dtype=torch.bool)
    fits = (holds == wanted[:, None, None]) & alone[:, :, None] & alone[:, None, :] & others
    fitting, chosen = _choose(fits.flatten(1), generator)
    first, second = _at(scenes, chosen // MAX_OBJECTS), _at(scenes, chosen % MAX_OBJECTS)
    asked = torch.stack([_ask(name, *first, *second) for name in PLACES], dim=1)
    return fitting, asked[torch.arange(len(scenes)), relation], wanted.long()


def _choose(fits: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Choose in each row of ``(batch, n)`` one of those that fit, and say whether there is one."""
    keys = torch.rand(fits.shape, generator=generator) + fits
    return fits.any(dim=1), keys.argmax(dim=1)


def _at(scenes: Scenes, place: Tensor) -> tuple[Tensor, Tensor]:
    rows = torch.arange(len(scenes))
    return scenes.colours[rows, place].clamp(min=0), scenes.shapes[rows, place].clamp(min=0)


def _ask(
    template: str, colour: Tensor, shape: Tensor, colour2: Tensor | None = None, shape2: Tensor | None = None
) -> Tensor:
    """Fill a template: places in ``COLOURS`` and ``SHAPES``, ``(batch,)`` each, to ``(batch, QUESTION_LENGTH)``."""
    words = _TEMPLATES[template].split()
    filled = torch.full((len(colour), QUESTION_LENGTH), PAD)
    slots = {
        "{colour}": (COLOURS, colour),
        "{shape}": (SHAPES, shape),
        "{plural}": (PLURALS, shape),
        "{colour2}": (COLOURS, colour2),
        "{shape2}": (SHAPES, shape2),
    }
    for position, word in enumerate(words):
        if word in slots:
            names, numbers = slots[word]
            filled[:, position] = torch.tensor(QUESTION_WORDS.encode(names))[numbers]
        else:
            filled[:, position] = QUESTION_WORDS.ids[word]
    return filled
