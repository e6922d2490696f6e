"""Train and measure models that write captions of the built-in scenes.

Dimension names: ``batch`` pictures, ``length`` tokens of a caption, ``num_patches``, ``objects`` of a scene.
"""

import torch
from torch import Tensor
from torch.nn import functional as F

from transformer_course.common.tokens import EOS, PAD, UNK
from transformer_course.data.captions import CAPTION_LENGTH, CAPTION_WORDS, PARTS, caption_tokens
from transformer_course.data.scenes import CHANNELS, IMAGE_SIZE, MAX_OBJECTS, PATCH, Scenes, draw_scenes, paint
from transformer_course.images_and_words import CaptionModel
from transformer_course.interpret.recording import AttentionRecorder
from transformer_course.rnn_encoder_decoder import greedy_decode
from transformer_course.training.endless import train_endlessly

RATE, BATCH = 4e-3, 32


def new_captioner(kind: type[CaptionModel] = CaptionModel, **options: int) -> CaptionModel:
    """Make a caption model for the built-in scenes, with fresh weights from torch's random numbers.

    Args:
        kind: the class, or one that is derived from it.
        **options: further arguments of its constructor.
    """
    return kind(IMAGE_SIZE, PATCH, CHANNELS, len(CAPTION_WORDS), **options)


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
