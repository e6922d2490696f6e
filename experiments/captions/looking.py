"""Where captioners look, what is lost with a row of their memory, and what they say of pairs that they have never seen.

Dimension names: ``batch`` pictures, ``length`` tokens of a caption, ``num_patches``, ``objects`` of a scene.
"""

import torch
from torch import Tensor

from transformer_course.data.captions import CAPTION_WORDS, PARTS, caption_tokens, word_objects
from transformer_course.data.scenes import COLOURS, MAX_OBJECTS, NEW_PAIRS, PATCH, SHAPES, Scenes
from transformer_course.images_and_words import CaptionModel, gold_regions, pointing_mass
from transformer_course.training.captions import cross_attention, measured_scenes
from transformer_course.vision_transformer import image_to_patches, row_column_positions


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


def word_regions(scenes: Scenes, owner: Tensor) -> Tensor:
    """Say which patches each word of a caption speaks of: ``(batch, CAPTION_LENGTH - 1, num_patches)``, bool."""
    patches = gold_regions(owner, PATCH, MAX_OBJECTS)  # (batch, objects, num_patches)
    spoken_of = word_objects(scenes)[..., None] & patches[:, None]  # (batch, length, objects, num_patches)
    return spoken_of.any(dim=2)


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
