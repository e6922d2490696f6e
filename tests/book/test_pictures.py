"""The pictures of README.md show what there is: by the text that they show, for pixels differ between machines."""

import json
import re

import pictures
import pytest
from PIL import Image

README = (pictures.ROOT / "README.md").read_text("utf8")
NAMES = ("check", "map", "page", "report")


def test_what_the_pictures_show_has_not_changed(book):
    shown = pictures.shown_text(book)
    assert sorted(shown) == sorted(NAMES)
    assert "finite weights: adding a constant to a row does not change its softmax" in shown["check"]
    assert "the scores are not divided by sqrt(d_k)" in shown["report"]
    assert shown["page"].startswith("Build the Transformer from scratch")
    assert shown["map"].startswith("From RNN to Transformer")
    kept, now = json.loads(pictures.DIGESTS.read_text("utf8")), pictures.digests(shown)
    assert [name for name in now if kept[name] != now[name]] == [], "out of date: run make pictures"


@pytest.mark.parametrize("name", NAMES)
def test_the_readme_shows_each_picture_in_light_and_dark_and_it_is_small(name):
    (found,) = re.findall(
        rf'<source media="\(prefers-color-scheme: dark\)" srcset="(docs/pictures/{name}_dark.png)">\s*'
        rf'<img alt="[^"]{{40,}}" src="(docs/pictures/{name}_light.png)"',
        README,
    )
    images = [Image.open(pictures.ROOT / path) for path in found]
    assert images[0].size == images[1].size
    dark, light = (image.convert("L").resize((1, 1)).getpixel((0, 0)) for image in images)
    assert dark < 80 < 180 < light
    for path in found:
        assert (pictures.ROOT / path).stat().st_size <= 150_000


def test_no_picture_lies_about_unused():
    assert {path.name for path in pictures.FOLDER.glob("*.png")} == set(
        re.findall(r"docs/pictures/(\S+?\.png)", README)
    )
