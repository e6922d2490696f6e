"""Two encoders that put pictures and captions of the built-in scenes into one space, and what they can tell apart.

Source: Radford et al. (2021), "Learning Transferable Visual Models From Natural Language Supervision", section 2.3.

Dimension names: ``batch`` pairs of picture and caption, ``d`` the width of the common space.
"""

import math

import torch
from torch import Tensor, nn

from experiments.questions.answering import D_MODEL, PatchReader, WordReader, mean_of_words
from transformer_course.data.captions import CAPTION_LENGTH, CAPTION_WORDS, caption_tokens
from transformer_course.data.scenes import COLOURS, NEW_PAIRS, SHAPES, Scenes, draw_scenes, paint
from transformer_course.images_and_words import contrastive_loss
from transformer_course.training.captions import measured_scenes
from transformer_course.training.endless import train_endlessly
from transformer_course.transformer_blocks import LayerNorm

RATE, BATCH, WIDTH = 4e-3, 64, 32


class Matcher(nn.Module):
    """Make one vector of a picture and one of a caption, so that those that belong together point the same way."""

    def __init__(self):
        super().__init__()
        self.patches = PatchReader(num_layers=2)
        self.words = WordReader(len(CAPTION_WORDS), CAPTION_LENGTH, num_layers=2)
        self.image_head = nn.Sequential(LayerNorm(D_MODEL), nn.Linear(D_MODEL, WIDTH))
        self.text_head = nn.Sequential(LayerNorm(D_MODEL), nn.Linear(D_MODEL, WIDTH))
        self.log_temperature = nn.Parameter(torch.tensor(math.log(0.07)))

    def image_vectors(self, images: Tensor) -> Tensor:
        """Read pictures: ``(batch, d)``, not yet of length 1."""
        return self.image_head(self.patches(images).mean(dim=1))

    def text_vectors(self, tokens: Tensor) -> Tensor:
        """Read captions ``(batch, m)``: ``(batch, d)``, not yet of length 1."""
        return self.text_head(mean_of_words(self.words(tokens), tokens))

    def forward(self, images: Tensor, tokens: Tensor) -> Tensor:
        """Give the contrastive loss of a batch of pairs."""
        return contrastive_loss(self.image_vectors(images), self.text_vectors(tokens), self.log_temperature.exp())


def train_matcher(
    model: Matcher, seed: int, num_steps: int | None = None, cpu_seconds: float | None = None, batch: int = BATCH
) -> list[float]:
    """Train on scenes of the training split, new ones in every update; returns the losses."""
    generator = torch.Generator().manual_seed(seed)

    def loss_of_batch() -> Tensor:
        scenes = draw_scenes(batch, "train", generator)
        images, _ = paint(scenes, generator)
        return model(images, caption_tokens(scenes))

    return train_endlessly(model, loss_of_batch, RATE, num_steps, cpu_seconds)


@torch.no_grad()
def recall(model: Matcher, split: str = "test", count: int = 100, rounds: int = 10) -> dict[str, float]:
    """Let the model find the caption of a picture among so many, and the picture of a caption.

    Returns:
        The shares found at the first place, ``caption`` and ``picture``, over so many rounds of different scenes.
    """
    found = {"caption": 0.0, "picture": 0.0}
    generator = torch.Generator().manual_seed(16)
    for _ in range(rounds):
        scenes = _different_captions(draw_scenes(2 * count, split, generator))[:count]
        images, _ = paint(scenes, generator)
        cosines = _cosines(model.image_vectors(images), model.text_vectors(caption_tokens(scenes)))
        own = torch.arange(len(scenes))
        found["caption"] += (cosines.argmax(dim=1) == own).double().mean().item() / rounds
        found["picture"] += (cosines.argmax(dim=0) == own).double().mean().item() / rounds
    return found


@torch.no_grad()
def tell_apart(model: Matcher, count: int = 500) -> dict[str, float]:
    """Show a picture of two objects with its caption and a wrong one, and see which one the model finds nearer.

    Returns:
        The share of right choices, by what is wrong: ``other colour`` (one word is another colour), ``colours
        exchanged`` (the same words in another order: red cross, blue square becomes blue cross, red square); the
        latter also apart, by whether the wrong caption names a pair that training has left out, with their number.
    """
    scenes, images, _ = measured_scenes(4 * count, "test", num_objects=2)
    differ = (scenes.colours[:, 0] != scenes.colours[:, 1]) & (scenes.shapes[:, 0] != scenes.shapes[:, 1])
    scenes, images = scenes[differ][:count], images[differ][:count]
    tokens = caption_tokens(scenes)
    image = model.image_vectors(images)
    first, second = 3, 8  # where the colours stand in a caption
    red = CAPTION_WORDS.ids["red"]
    exchanged, other = tokens.clone(), tokens.clone()
    exchanged[:, [first, second]] = tokens[:, [second, first]]
    other[:, first] = red + (tokens[:, first] - red + 1) % 5
    own = _pairwise(image, model.text_vectors(tokens))
    right = {
        name: (own > _pairwise(image, model.text_vectors(wrong))).double()
        for name, wrong in (("other colour", other), ("colours exchanged", exchanged))
    }
    new = _names_new_pair(scenes.colours[:, [1, 0]], scenes.shapes[:, :2])
    found = {name: each.mean().item() for name, each in right.items()}
    for name, among in (("known pairs", ~new), ("held-out pair", new)):
        found[f"colours exchanged, {name}"] = right["colours exchanged"][among].mean().item()
        found[f"number, {name}"] = int(among.sum())
    return found


@torch.no_grad()
def zero_shot(model: Matcher, count: int = 500) -> dict[str, float]:
    """Classify pictures of one object by the nearest of 40 captions, one for each size, colour and shape.

    Returns:
        The share of right classes among test scenes (``known pairs``), and among scenes with a pair of colour and shape
        that training has left out (``held-out pairs``).
    """
    every = [
        (size, colour, shape) for size in range(2) for colour in range(len(COLOURS)) for shape in range(len(SHAPES))
    ]
    scenes, _, _ = measured_scenes(len(every), "test", num_objects=1)
    for name, values in zip(("sizes", "colours", "shapes"), zip(*every, strict=True), strict=True):
        getattr(scenes, name)[:, 0] = torch.tensor(values)
    captions = model.text_vectors(caption_tokens(scenes))
    found = {}
    for name, split in (("known pairs", "test"), ("held-out pairs", "composition")):
        scenes, images, _ = measured_scenes(count, split, num_objects=1)
        number = (scenes.sizes[:, 0] * len(COLOURS) + scenes.colours[:, 0]) * len(SHAPES) + scenes.shapes[:, 0]
        nearest = _cosines(model.image_vectors(images), captions).argmax(dim=1)
        found[name] = (nearest == number).double().mean().item()
    return found


def shown_pairs(count: int = 6) -> tuple[Tensor, Scenes]:
    """Paint a few test scenes of two objects, whose cosines the chapter shows."""
    generator = torch.Generator().manual_seed(8)
    scenes = draw_scenes(count, "test", generator, num_objects=2)
    return paint(scenes, generator)[0], scenes


@torch.no_grad()
def shown_cosines(model: Matcher) -> list[list[float]]:
    """Give the cosines of `shown_pairs`: a row for each picture, a column for each caption."""
    images, scenes = shown_pairs()
    cosines = _cosines(model.image_vectors(images), model.text_vectors(caption_tokens(scenes)))
    return [[round(each, 3) for each in row] for row in cosines.tolist()]


def _names_new_pair(colours: Tensor, shapes: Tensor) -> Tensor:
    """Say for each row of pairs whether one of them is of ``NEW_PAIRS``: ``(batch,)``."""
    new = torch.zeros(len(COLOURS), len(SHAPES), dtype=torch.bool)
    for colour, shape in NEW_PAIRS:
        new[COLOURS.index(colour), SHAPES.index(shape)] = True
    return new[colours, shapes].any(dim=1)


def _pairwise(image: Tensor, text: Tensor) -> Tensor:
    return torch.cosine_similarity(image, text, dim=-1)


def _cosines(image: Tensor, text: Tensor) -> Tensor:
    return torch.cosine_similarity(image[:, None], text[None], dim=-1)  # (pictures, captions)


def _different_captions(scenes: Scenes) -> Scenes:
    """Keep the first of the scenes that share a caption."""
    seen: set[tuple[int, ...]] = set()
    kept = []
    for number, caption in enumerate(map(tuple, caption_tokens(scenes).tolist())):
        if caption not in seen:
            seen.add(caption)
            kept.append(number)
    return scenes[kept]
