"""A question about pictures of several objects that needs to know where each object stands."""

import torch

from transformer_course.data.pictures import Pictures
from transformer_course.data.scenes import COLOURS, MAX_OBJECTS, draw_scenes, paint


def leftmost_colours(count: int, split: str, seed: int) -> Pictures:
    """Paint scenes of four objects; the class of each picture is the colour of its leftmost object.

    Args:
        count: how many pictures.
        split: of the scenes, see ``data.scenes``.
        seed: of everything that is drawn.

    Returns:
        The pictures ``(count, 3, 40, 40)``.
    """
    generator = torch.Generator().manual_seed(seed)
    scenes = draw_scenes(count, split, generator, num_objects=MAX_OBJECTS)
    images, _ = paint(scenes, generator)
    return Pictures(images, scenes.colours[:, 0], COLOURS)
