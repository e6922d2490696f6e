"""What the command line does with captions: `train --model captions` and `caption`."""

import argparse
from pathlib import Path

import torch
from matplotlib import image as picture_files
from matplotlib import pyplot as plt
from torch import Tensor

from transformer_course.common.seeding import seed_everything
from transformer_course.data.captions import CAPTION_WORDS, caption_words
from transformer_course.data.scenes import CHANNELS, GRID, IMAGE_SIZE, Scenes
from transformer_course.images_and_words import CaptionModel
from transformer_course.training.captions import (
    RATE,
    cross_attention,
    measured_scenes,
    new_captioner,
    score_captions,
    train_captioner,
    write_captions,
)
from transformer_course.training.checkpoint import load_checkpoint, save_checkpoint
from transformer_course.training.drawing import draw_losses

CAPTIONS_RUN = Path("runs") / "captions"
TEST_SCENES = 1000


def train_captions(options: argparse.Namespace, run: Path) -> None:
    """Train a caption model, and write `checkpoint.pt` and `loss.svg` into the folder of the run."""
    checkpoint = run / "checkpoint.pt"
    if options.resume:
        raise ValueError("resume: not for captions, which are trained in one go of a minute or three")
    if checkpoint.exists():
        raise ValueError(f"run: {checkpoint} exists; choose another folder with --run")
    limits = {"num_steps": options.steps, "cpu_seconds": options.cpu_seconds}
    if options.steps is None and options.cpu_seconds is None:
        limits["cpu_seconds"] = 180.0
    seed_everything(options.seed)
    model = new_captioner()
    losses = train_captioner(model, options.seed, rate=options.learning_rate or RATE, **limits)
    save_checkpoint(checkpoint, {"name": "captions", "model": model.state_dict()})
    draw_losses(losses, run / "loss.svg")
    print(f"{len(losses)} updates, last loss {losses[-1]:.3f}")
    print(f"wrote {checkpoint} and {run / 'loss.svg'}")
    score = score_captions(model, "validation", count=500)
    print(f"validation: {score['exact']:.1%} of captions without a mistake")
    for number, share in enumerate(score["by_objects"], start=1):
        print(f"  {number} object{'s' * (number > 1)}: {share:6.1%}")


def caption(options: argparse.Namespace) -> None:
    """Write about a picture: a file, or a test scene by its number."""
    model = load_captioner((options.run or CAPTIONS_RUN) / "checkpoint.pt")
    if options.image.isdecimal():
        scenes, images = _test_scene(int(options.image))
        print(f"the scene: {' '.join(caption_words(scenes)[0])}")
    else:
        images = read_picture(Path(options.image))
    written = write_captions(model, images)
    words = CAPTION_WORDS.decode(written[0].tolist())
    print(" ".join(words))
    if options.picture:
        _write_picture(images[0], options.picture)
        print(f"wrote {options.picture}")
    if options.attention:
        draw_look(model, images, words, options.attention)
        print(f"wrote {options.attention}")


def load_captioner(path: Path) -> CaptionModel:
    """Read a trained caption model from a checkpoint.

    Raises:
        ValueError: if the file is missing or no checkpoint of a caption model.
    """
    if not path.is_file():
        raise ValueError(f"checkpoint: expected a file at {path}; `train --model captions` writes one")
    state = load_checkpoint(path)
    if state.get("name") != "captions":
        raise ValueError(f"checkpoint: {path} is not that of a caption model; `train --model captions` writes one")
    model = new_captioner()
    model.load_state_dict(state["model"])
    return model.eval()


def read_picture(path: Path) -> Tensor:
    """Read a picture of the size of the scenes from a PNG file: ``(1, channels, height, width)``, from 0 to 1.

    Raises:
        ValueError: if there is no such file, it is no picture, or has another size.
    """
    if not path.is_file():
        raise ValueError(f"image: expected a PNG file or the number of a test scene, found no file {path}")
    try:
        pixels = torch.tensor(picture_files.imread(path))
    except Exception as error:
        raise ValueError(f"image: {path} cannot be read as a picture ({type(error).__name__})") from error
    if pixels.dim() != 3 or pixels.shape[:2] != (IMAGE_SIZE, IMAGE_SIZE) or pixels.shape[2] < CHANNELS:
        wanted = f"{IMAGE_SIZE} x {IMAGE_SIZE} pixels in colour"
        raise ValueError(f"image: expected a picture of {wanted}, got shape {tuple(pixels.shape)}")
    pixels = pixels[..., :CHANNELS]
    pixels = pixels / 255 if not pixels.is_floating_point() else pixels.float()
    return pixels.permute(2, 0, 1)[None]


def draw_look(model: CaptionModel, images: Tensor, words: list[str], path: Path) -> None:
    """Draw where the last layer looks for each word of a caption, the mean of its heads, into a file."""
    tokens = torch.tensor([[1, *CAPTION_WORDS.encode(words)]])
    looks = cross_attention(model, images, tokens)[-1, 0].mean(dim=0)[: len(words)]  # (words, num_patches)
    rows = -(-len(words) // 5)
    figure, axes = plt.subplots(rows, 5, figsize=(8, 1.8 * rows), squeeze=False, layout="constrained")
    for axis in axes.flat:
        axis.set_axis_off()
    for axis, word, look in zip(axes.flat, words, looks, strict=False):
        axis.imshow(images[0].permute(1, 2, 0).numpy(), extent=(0, GRID, GRID, 0))
        axis.imshow(look.view(GRID, GRID).numpy(), extent=(0, GRID, GRID, 0), alpha=0.6, cmap="Greys_r", vmin=0)
        axis.set_title(word, fontsize=9)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    plt.close(figure)


def _test_scene(number: int) -> tuple[Scenes, Tensor]:
    if number >= TEST_SCENES:
        raise ValueError(f"image: expected the number of a test scene, 0 to {TEST_SCENES - 1}, got {number}")
    scenes, images, _ = measured_scenes(TEST_SCENES)
    return scenes[[number]], images[[number]]


def _write_picture(image: Tensor, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    picture_files.imsave(path, image.permute(1, 2, 0).numpy())
