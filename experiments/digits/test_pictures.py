"""Training on pictures: the networks beside the Vision Transformer, and the measures."""

import pytest
import torch
from torch.testing import assert_close

from experiments.digits.pictures import (
    ONE_PIXEL,
    SIZES,
    WITHIN_ONE,
    ConvNet,
    LogisticRegression,
    OtherPositions,
    accuracy,
    accuracy_moved,
    class_attention,
    for_seconds,
    for_updates,
    train_on_pictures,
    without_patches,
)
from experiments.digits.scene_questions import leftmost_colours
from transformer_course.data.pictures import Pictures, load_digits, moved
from transformer_course.data.scenes import COLOURS
from transformer_course.vision_transformer import VisionTransformer


@pytest.fixture(scope="module")
def digits() -> tuple[Pictures, Pictures]:
    return load_digits()


def test_the_three_networks_have_about_as_many_parameters():
    counts = [
        sum(parameter.numel() for parameter in model.parameters())
        for model in (VisionTransformer(**SIZES), ConvNet(), ConvNet(pooled=False))
    ]
    assert counts[0] == 39_418
    assert max(counts) < 1.2 * min(counts)


def test_a_mean_over_places_does_not_notice_a_shift_by_all_that_was_pooled():
    torch.manual_seed(0)
    images = torch.zeros(1, 1, 40, 40)
    images[..., 16:20, 16:20] = torch.rand(4, 4)
    pooled, flat = ConvNet(image_size=40).eval(), ConvNet(image_size=40, pooled=False).eval()
    there = moved(images, 4, -4)
    assert_close(pooled(there), pooled(images))
    assert (flat(there) - flat(images)).abs().max() > 1e-3


def test_logistic_regression_is_that_of_scikit_learn(digits):
    from sklearn.linear_model import LogisticRegression as Fit

    train, test = digits[0][:200], digits[1]
    fit = Fit(C=0.1, max_iter=3000).fit(train.images.flatten(1).numpy(), train.labels.numpy())
    wanted = fit.score(test.images.flatten(1).numpy(), test.labels.numpy())
    assert accuracy(LogisticRegression(train, strength=10.0), test) == pytest.approx(wanted)
    few = train[train.labels != 3]
    assert not (LogisticRegression(few)(test.images).argmax(-1) == 3).any()


def test_a_network_learns_from_a_seed_and_the_rate_ends_at_zero(digits):
    train, test = digits
    models = [
        train_on_pictures(lambda: ConvNet(width=8, pooled=False), train, for_updates(60), 8e-3, seed=1)
        for _ in range(2)
    ]
    assert [updates for _, updates in models] == [60, 60]
    first, again = (model.state_dict() for model, _ in models)
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not models[0][0].training
    assert accuracy(models[0][0], test) > 0.3


def test_a_budget_of_seconds_ends(digits):
    _, updates = train_on_pictures(lambda: ConvNet(width=4), digits[0], for_seconds(0.2), 1e-3)
    assert updates > 1
    with pytest.raises(ValueError, match="seconds: expected a positive number, got 0"):
        for_seconds(0)
    with pytest.raises(ValueError, match="number: expected an integer of at least 1"):
        for_updates(0)


def test_the_mean_over_shifts(digits):
    _, test = digits
    torch.manual_seed(0)
    model = ConvNet().eval()
    by_hand = [accuracy(model, Pictures(moved(test.images, *way), test.labels, test.classes)) for way in ONE_PIXEL]
    assert accuracy_moved(model, test) == pytest.approx(sum(by_hand) / 4)
    assert len(set(WITHIN_ONE)) == 9


@pytest.mark.parametrize(("kind", "std"), [("rows and columns", 0.02), ("table", 0.5), ("none", 0.5)])
def test_other_positions_start_with_their_size(kind, std):
    torch.manual_seed(0)
    model = OtherPositions(kind, std, **SIZES)
    places = model.positions()[1:]
    assert places.std().item() == pytest.approx(0 if kind == "none" else std, rel=0.2)
    model(torch.rand(2, 1, 12, 12)).sum().backward()
    learned = {"rows and columns": ("rows", "columns"), "table": ("table",), "none": ()}[kind]
    assert {name for name, _ in model.named_parameters()} & {"rows", "columns", "table"} == set(learned)
    assert all(getattr(model, name).grad.any() for name in learned)
    with pytest.raises(ValueError, match="kind: expected"):
        OtherPositions("waves", std, **SIZES)


def test_blanking_takes_the_most_important_patches():
    images = torch.arange(1.0, 17).view(1, 1, 4, 4)
    left = without_patches(images, 2, torch.tensor([[0.1, 0.4, 0.2, 0.3]]), 2)
    assert left[0, 0].tolist() == [[1, 2, 0, 0], [5, 6, 0, 0], [9, 10, 0, 0], [13, 14, 0, 0]]


def test_the_attention_of_the_class_token_leaves_out_itself(digits):
    torch.manual_seed(0)
    model = VisionTransformer(**SIZES).eval()
    seen = class_attention(model, digits[1].images[:5])
    assert seen.shape == (5, 36)
    assert ((seen.sum(1) > 0.5) & (seen.sum(1) < 1)).all()


def test_the_leftmost_colour_is_that_of_the_leftmost_pixels():
    pictures = leftmost_colours(40, "train", 0)
    assert pictures.images.shape == (40, 3, 40, 40)
    assert pictures.classes == COLOURS
    for image, label in zip(pictures.images, pictures.labels, strict=True):
        bright = image.max(dim=0).values > 0.5
        column = int(bright.any(dim=0).nonzero()[0])
        # The mean colour of the first columns with an object.
        part = image[:, :, column : column + 3]
        inks = part[:, bright[:, column : column + 3]].mean(dim=1)
        red, green, blue = inks.tolist()
        names = {
            "red": red > green + 0.2 and red > blue + 0.2 and green < 0.45,
            "green": green > red + 0.2 and green > blue + 0.2,
            "blue": blue > red + 0.2 and blue > green + 0.2,
            "yellow": red > blue + 0.3 and green > blue + 0.3,
            "purple": blue > green + 0.2 and red > green + 0.1,
        }
        assert names[COLOURS[label]]
