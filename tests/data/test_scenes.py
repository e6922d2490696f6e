"""The world of pictures: nothing overlaps, the picture shows what the numbers say, splits share no scene."""

import itertools

import pytest
import torch

from transformer_course.data.scenes import (
    BACKGROUND,
    COLOURS,
    GRID,
    IMAGE_SIZE,
    NEW_PAIRS,
    NOISE,
    NOTHING,
    PATCH,
    RGB,
    SHAPES,
    SIZES,
    SPLITS,
    Scenes,
    describe,
    draw_scenes,
    paint,
    scene_numbers,
    split_of,
    stamps,
)


def drawn(split, count=400, seed=0, num_objects=None):
    return draw_scenes(count, split, torch.Generator().manual_seed(seed), num_objects)


def one_object(row, column, size, colour, shape):
    def field(value):
        return torch.tensor([[value, NOTHING, NOTHING, NOTHING]])

    return Scenes(
        field(column), field(row), field(SIZES.index(size)), field(COLOURS.index(colour)), field(SHAPES.index(shape))
    )


@pytest.mark.parametrize("split", SPLITS)
def test_scenes_are_as_described(split):
    scenes = drawn(split)
    for objects in describe(scenes):
        assert 1 <= len(objects) <= 4
        columns = [column for *_, column in objects]
        assert columns == sorted(set(columns))
        assert all(0 <= row < GRID and 0 <= column < GRID for *_, row, column in objects)
        new = sum((colour, shape) in NEW_PAIRS for _, colour, shape, _, _ in objects)
        assert new == (split == "composition")
    assert split_of(scenes) == [split] * len(scenes)


def test_all_splits_have_the_same_shares_of_numbers_of_objects():
    for split in SPLITS:
        counts = drawn(split, 4000).num_objects.bincount(minlength=5)
        # 1000 are expected; four standard deviations are 110.
        assert (counts[1:] - 1000).abs().max() < 110


def test_splits_are_disjoint_also_among_the_few_scenes_with_one_object():
    numbers = {split: set(scene_numbers(drawn(split, 5000, num_objects=1)).tolist()) for split in SPLITS}
    for first, second in itertools.combinations(SPLITS, 2):
        assert not numbers[first] & numbers[second]
    # Every scene of one object belongs somewhere: 25 cells, 2 sizes, 20 pairs.
    everything = [
        one_object(row, column, size, colour, shape)
        for row, column, size, colour, shape in itertools.product(range(GRID), range(GRID), SIZES, COLOURS, SHAPES)
    ]
    assert len({int(scene_numbers(scene)) for scene in everything}) == 1000
    shares = [split_of(scene)[0] for scene in everything]
    assert shares.count("composition") == 200
    assert 50 < shares.count("test") < 110
    assert 50 < shares.count("validation") < 110


def test_every_known_colour_and_every_shape_is_trained_in_other_pairs():
    seen = {(colour, shape) for objects in describe(drawn("train", 2000)) for _, colour, shape, _, _ in objects}
    assert seen == set(itertools.product(COLOURS, SHAPES)) - set(NEW_PAIRS)


def test_pictures_show_the_scene():
    scenes = drawn("train", 60)
    images, owner = paint(scenes, torch.Generator().manual_seed(1))
    assert images.shape == (60, 3, IMAGE_SIZE, IMAGE_SIZE)
    assert owner.shape == (60, IMAGE_SIZE, IMAGE_SIZE)
    for image, own, objects in zip(images, owner, describe(scenes), strict=True):
        assert set(own.unique().tolist()) == {NOTHING, *range(len(objects))}
        assert (image[:, own == NOTHING] - BACKGROUND).abs().max() <= NOISE / 2 + 1e-6
        for number, (size, colour, shape, row, column) in enumerate(objects):
            y, x = (own == number).nonzero(as_tuple=True)
            assert {*(y // PATCH).tolist()} == {row}
            assert {*(x // PATCH).tolist()} == {column}
            cut = torch.zeros(PATCH, PATCH, dtype=torch.bool)
            cut[y - y.min(), x - x.min()] = True
            assert cut.equal(stamps()[SIZES.index(size), SHAPES.index(shape)])
            mean = image[:, y, x].mean(dim=1)
            nearest = min(range(len(RGB)), key=lambda c: float((mean / mean.norm() - _unit(RGB[c])).norm()))
            assert COLOURS[nearest] == colour


def _unit(colour):
    colour = torch.tensor(colour)
    return colour / colour.norm()


def test_no_two_stamps_are_alike():
    cut = stamps().flatten(0, 1).flatten(1)
    assert len({tuple(each) for each in cut.tolist()}) == len(SIZES) * len(SHAPES)


def test_the_same_seed_draws_and_paints_the_same():
    assert scene_numbers(drawn("test", seed=3)).equal(scene_numbers(drawn("test", seed=3)))
    first, second = (paint(drawn("test", 5), torch.Generator().manual_seed(4))[0] for _ in range(2))
    assert first.equal(second)


def test_choosing_scenes():
    scenes = drawn("train", 9)
    assert describe(scenes[2:4]) == describe(scenes)[2:4]
    assert describe(scenes[scenes.num_objects == 1]) == [each for each in describe(scenes) if len(each) == 1]
    assert len(drawn("train", 0)) == 0


def test_errors():
    with pytest.raises(ValueError, match="split: expected"):
        drawn("exam")
    with pytest.raises(ValueError, match="num_objects: expected 1 to 4, got 5"):
        drawn("test", num_objects=5)
    with pytest.raises(ValueError, match="count"):
        drawn("test", -1)
