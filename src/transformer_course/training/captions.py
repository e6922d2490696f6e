"""Train and measure models that write captions of the built-in scenes.

Dimension names: ``batch`` pictures, ``length`` tokens of a caption, ``num_patches``, ``objects`` of a scene.
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.common.tokens import EOS, PAD, UNK
from transformer_course.data.captions import CAPTION_LENGTH, CAPTION_WORDS, PARTS, caption_tokens, word_objects
from transformer_course.data.scenes import (
    CHANNELS,
    COLOURS,
    IMAGE_SIZE,
    MAX_OBJECTS,
    NEW_PAIRS,
    PATCH,
    SHAPES,
    Scenes,
    draw_scenes,
    paint,
)
from transformer_course.images_and_words import CaptionModel, gold_regions, pointing_mass
from transformer_course.interpret.recording import AttentionRecorder
from transformer_course.rnn_encoder_decoder import greedy_decode
from transformer_course.training.endless import train_endlessly
from transformer_course.vision_transformer import image_to_patches, row_column_positions

RATE, BATCH = 4e-3, 32


class PatchesApart(CaptionModel):
    """The same model with the same parameters, whose patches do not attend to one another: each sees itself alone.

    Row n of the memory then knows of patch n alone, and of its place.
    """

    def encode(self, images: Tensor) -> Tensor:
        """Read each patch by itself: ``(batch, num_patches, d_model)``."""
        x = self.patch(image_to_patches(images, self.patch_size))
        x = x + row_column_positions(self.rows, self.columns)
        alone = torch.eye(x.shape[1], dtype=torch.bool)
        for block in self.encoder_blocks:
            x = block(x, alone)
        return self.encoder_norm(x)


def new_captioner(pooled: bool = False, apart: bool = False, **sizes: int) -> CaptionModel:
    """Make a caption model for the built-in scenes, with fresh weights from torch's random numbers.

    Args:
        pooled: whether the memory is one row.
        apart: whether it is one of ``PatchesApart``.
        **sizes: for the constructor.
    """
    kind = PatchesApart if apart else CaptionModel
    return kind(IMAGE_SIZE, PATCH, CHANNELS, len(CAPTION_WORDS), pooled=pooled, **sizes)


def train_captioner(
    model: CaptionModel,
    seed: int,
    num_steps: int | None = None,
    cpu_seconds: float | None = None,
    rate: float = RATE,
    batch: int = BATCH,
    hide: float = 0.0,
    **more: object,
) -> list[float]:
    """Train with teacher forcing on scenes of the training split, new ones in every update.

    Args:
        model: as from :func:`new_captioner`.
        seed: of the scenes.
        num_steps: updates; or
        cpu_seconds: seconds of the processor.
        rate: the highest learning rate.
        batch: pictures of an update.
        hide: share of the words read that are replaced by UNK, so that less can be told from the words alone.
        **more: for :func:`~transformer_course.training.endless.train_endlessly`.

    Returns:
        The loss before each update, in nats per token.
    """
    generator = torch.Generator().manual_seed(seed)

    def loss_of_batch() -> Tensor:
        scenes = draw_scenes(batch, "train", generator)
        images, _ = paint(scenes, generator)
        tokens = caption_tokens(scenes)[:, : len(PARTS) * int(scenes.num_objects.max()) + 1]
        read, labels = tokens[:, :-1], tokens[:, 1:]
        if hide:
            hidden = torch.rand(read.shape, generator=generator) < hide
            hidden[:, 0] = False  # BOS says that the caption begins
            read = torch.where(hidden & (read != PAD), UNK, read)
        logits = model(images, read)  # (batch, length - 1, vocab_size)
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=PAD)

    return train_endlessly(model, loss_of_batch, rate, num_steps, cpu_seconds, **more)


@torch.no_grad()
def write_captions(model: CaptionModel, images: Tensor) -> Tensor:
    """Write captions, always with the most probable word.

    Args:
        model: in evaluation mode.
        images: ``(batch, channels, image_size, image_size)``.

    Returns:
        Token ids ``(batch, <= CAPTION_LENGTH)``, without BOS, with EOS and padding after it.
    """
    memory = model.encode(images)  # (batch, num_patches, d_model)

    def step(tokens: Tensor, state: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
        target = torch.cat([state["target"], tokens.unsqueeze(1)], dim=1)  # (batch, length + 1)
        return model.decode(target, state["memory"])[:, -1], {**state, "target": target}

    state = {"memory": memory, "target": torch.zeros(len(images), 0, dtype=torch.long)}
    return greedy_decode(step, state, len(images), CAPTION_LENGTH)


def is_exact(written: Tensor, scenes: Scenes) -> Tensor:
    """Say which captions are right from the first word to the last: ``(batch,)``, bool."""
    labels = caption_tokens(scenes)[:, 1:]
    written = F.pad(written, (0, labels.shape[1] + 1 - written.shape[1]), value=PAD)
    # After EOS there is padding on both sides; a caption without EOS is longer than any label.
    return (written == F.pad(labels, (0, 1), value=PAD)).all(dim=1)


def measured_scenes(count: int, split: str = "test", num_objects: int | None = None) -> tuple[Scenes, Tensor, Tensor]:
    """Draw the scenes on which all models of the course are measured: scenes, images and owners."""
    generator = torch.Generator().manual_seed(16)
    scenes = draw_scenes(count, split, generator, num_objects)
    return (scenes, *paint(scenes, generator))


@torch.no_grad()
def score_captions(model: CaptionModel, split: str = "test", count: int = 1000) -> dict:
    """Measure captions that the model writes, and words that it adds to the right beginning.

    Args:
        model: in evaluation mode.
        split: whose scenes.
        count: how many.

    Returns:
        The share of exact captions (``exact``), that for 1, 2, 3, 4 objects (``by_objects``), and the share of words
        predicted rightly after the words before them (``by_part``, a key for each of ``PARTS``).
    """
    scenes, images, _ = measured_scenes(count, split)
    exact = is_exact(write_captions(model, images), scenes).double()
    tokens = caption_tokens(scenes)
    right = model(images, tokens[:, :-1]).argmax(dim=-1) == tokens[:, 1:]  # (batch, 20)
    is_word = (tokens[:, 1:] != PAD) & (tokens[:, 1:] != EOS)
    part = torch.arange(right.shape[1]) % len(PARTS)
    return {
        "exact": exact.mean().item(),
        "by_objects": [exact[scenes.num_objects == number].mean().item() for number in range(1, MAX_OBJECTS + 1)],
        "by_part": {
            name: right[is_word & (part == number)].double().mean().item() for number, name in enumerate(PARTS)
        },
    }


def word_regions(scenes: Scenes, owner: Tensor) -> Tensor:
    """Say which patches each word of a caption speaks of: ``(batch, CAPTION_LENGTH - 1, num_patches)``, bool."""
    patches = gold_regions(owner, PATCH, MAX_OBJECTS)  # (batch, objects, num_patches)
    spoken_of = word_objects(scenes)[..., None] & patches[:, None]  # (batch, length, objects, num_patches)
    return spoken_of.any(dim=2)


@torch.no_grad()
def cross_attention(model: CaptionModel, images: Tensor, tokens: Tensor) -> Tensor:
    """Record where each word looks: ``(layers, batch, heads, length, num_patches)``.

    Args:
        model: in evaluation mode.
        images: ``(batch, channels, image_size, image_size)``.
        tokens: what is read, ``(batch, length)``, BOS first; row t is where the model looks to predict token t + 1.
    """
    with AttentionRecorder(model) as recorder:
        model(images, tokens)
    return torch.stack([weights for name, weights in recorder.maps if "cross_attention" in name])


@torch.no_grad()
def measure_pointing(model: CaptionModel, count: int = 500) -> dict:
    """Measure where the model looks while it predicts the words of right captions of test scenes.

    Returns:
        For size, colour, shape and relation, and for ``object`` (the first three together): ``mass`` in the region,
        for each layer and head (layers, heads); ``mean``, that of the mean over the heads of each layer (layers,);
        ``largest``, how often the patch with the largest mean weight lies in the region (layers,). ``uniform`` is the
        mass that equal weights would have.
    """
    scenes, images, owner = measured_scenes(count)
    tokens = caption_tokens(scenes)
    regions = word_regions(scenes, owner)  # (batch, length, num_patches)
    weights = cross_attention(model, images, tokens[:, :-1])  # (layers, batch, heads, length, num_patches)
    mass = torch.stack([pointing_mass(layer, regions) for layer in weights]).transpose(1, 2)
    largest = weights.mean(dim=2).argmax(dim=-1)  # (layers, batch, length)
    hits = torch.stack([regions.gather(2, each.unsqueeze(2))[..., 0] for each in largest])
    part = torch.arange(regions.shape[1]) % len(PARTS)
    kinds = {name: part == number for number, name in enumerate(PARTS) if name != "article"}
    kinds["object"] = (part >= 1) & (part <= 3)
    found = {}
    for name, chosen in kinds.items():
        words = regions.any(dim=2) & chosen  # (batch, length)
        of_words = mass[..., words].mean(dim=-1)  # (layers, heads)
        found[name] = {
            "mass": of_words.tolist(),
            "mean": of_words.mean(dim=1).tolist(),
            "largest": hits[:, words].double().mean(dim=1).tolist(),
            "uniform": regions[words].double().mean().item(),
        }
    return found


@torch.no_grad()
def hide_patches(model: CaptionModel, count: int = 500) -> dict[str, float]:
    """Take one row out of the memory, that of an object's patch or of an empty one, and see which words survive.

    Returns:
        The share of right words about the first object of test scenes, after the right words before them: ``nothing
        hidden``, ``its patch hidden``, ``an empty patch hidden``, each for size, colour and shape.
    """
    scenes, images, owner = measured_scenes(count)
    tokens = caption_tokens(scenes)
    patches = gold_regions(owner, PATCH, MAX_OBJECTS)  # (batch, objects, num_patches)
    memory = model.encode(images)
    own = patches[:, 0].int().argmax(dim=1)
    empty = (~patches.any(dim=1)).int().argmax(dim=1)
    places = torch.arange(memory.shape[1])
    found = {}
    for name, hidden in (("nothing hidden", None), ("its patch hidden", own), ("an empty patch hidden", empty)):
        seen = memory
        if hidden is not None:
            seen = memory[places != hidden[:, None]].view(len(memory), -1, memory.shape[2])  # one row less
        right = model.decode(tokens[:, :-1], seen).argmax(dim=-1) == tokens[:, 1:]
        found |= {f"{name}: {PARTS[part]}": right[:, part].double().mean().item() for part in (1, 2, 3)}
    return found


@torch.no_grad()
def new_pairs(model: CaptionModel, count: int = 1000) -> dict[str, float]:
    """Measure words about objects with a new pair of colour and shape, beside those about all other objects.

    Returns:
        Shares of right words after the right words before them: ``new colour``, ``new shape``, ``known colour`` and
        ``known shape``; and ``new shape after purple``, where the model has read that the object is purple. Purple has
        been seen with every shape.
    """
    scenes, images, _ = measured_scenes(count, "composition")
    tokens = caption_tokens(scenes)
    pairs = torch.tensor([[COLOURS.index(colour), SHAPES.index(shape)] for colour, shape in NEW_PAIRS])
    own = torch.stack([scenes.colours, scenes.shapes], dim=-1)  # (batch, objects, 2)
    is_new = (own[:, :, None] == pairs).all(dim=-1).any(dim=-1)  # (batch, objects)
    kinds = {"new": is_new, "known": ~is_new & scenes.present}
    parts = {name: PARTS.index(name) for name in ("colour", "shape")}

    def right(read: Tensor) -> Tensor:
        return model(images, read[:, :-1]).argmax(dim=-1) == tokens[:, 1:]  # (batch, 20)

    plain = right(tokens)
    found = {
        f"{name} {part}": plain[:, place :: len(PARTS)][chosen].double().mean().item()
        for name, chosen in kinds.items()
        for part, place in parts.items()
    }
    told = tokens.clone()
    colours = told[:, 1 + parts["colour"] :: len(PARTS)]  # (batch, objects), a view
    colours[is_new] = CAPTION_WORDS.ids["purple"]
    shapes = right(told)[:, parts["shape"] :: len(PARTS)]
    return {**found, "new shape after purple": shapes[is_new].double().mean().item()}
