"""`train --model captions` and `caption`, end to end with a few updates."""

import pytest
import torch
from matplotlib import image as picture_files

from transformer_course.data.captions import CAPTION_WORDS, caption_words
from transformer_course.training import caption_commands, cli
from transformer_course.training.captions import measured_scenes


@pytest.fixture
def run(tmp_path, capsys):
    assert cli.main(["train", "--model", "captions", "--steps", "2", "--run", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "2 updates" in said
    assert "4 objects" in said
    return ["--run", str(tmp_path)]


def test_train_and_caption_a_scene_and_its_picture(run, tmp_path, capsys):
    assert (tmp_path / "loss.svg").is_file()
    picture, look = tmp_path / "picture.png", tmp_path / "look.png"
    assert cli.main(["caption", "7", *run, "--picture", str(picture), "--attention", str(look)]) == 0
    scene, written, *_ = capsys.readouterr().out.splitlines()
    scenes, images, _ = measured_scenes(caption_commands.TEST_SCENES)
    assert scene == f"the scene: {' '.join(caption_words(scenes)[7])}"
    assert set(written.split()) <= set(CAPTION_WORDS.words)
    assert look.stat().st_size > 1000
    # The picture in the file is that of the scene, up to the 256 steps of a PNG.
    assert (caption_commands.read_picture(picture)[0] - images[7]).abs().max() < 1 / 250
    assert cli.main(["caption", str(picture), *run]) == 0
    assert capsys.readouterr().out.strip()


def test_what_is_no_picture_is_refused(run, tmp_path, capsys):
    wrong = tmp_path / "wrong.png"
    picture_files.imsave(wrong, torch.zeros(8, 8, 3).numpy())
    text = tmp_path / "text.png"
    text.write_text("no picture")
    for image, words in (("1000", "0 to 999"), ("nothing.png", "found no file"), (str(wrong), "40 x 40"),
                         (str(text), "cannot be read")):  # fmt: skip
        assert cli.main(["caption", image, *run]) == 2
        assert words in capsys.readouterr().err
    assert cli.main(["train", "--model", "captions", "--steps", "1", *run]) == 2
    assert "exists" in capsys.readouterr().err
    assert cli.main(["train", "--model", "captions", "--steps", "1", "--resume", *run]) == 2
    assert cli.main(["caption", "7", "--run", str(tmp_path / "none")]) == 2
    assert "`train --model captions` writes one" in capsys.readouterr().err
