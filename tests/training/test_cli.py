"""The commands, end to end on a language of a few hundred sentences."""

import pytest

from transformer_course.data.shakespeare import Shakespeare, load_shakespeare
from transformer_course.training import cli, writers
from transformer_course.training.checkpoint import load_checkpoint
from transformer_course.training.languages import built_in_language, load_language


@pytest.fixture
def small_language(monkeypatch):
    language = built_in_language(num_train=200, num_test=6)
    language.splits["validation"] = language.splits["validation"][:6]
    monkeypatch.setattr(cli, "load_language", lambda name, path: language)
    return language


def test_train_translate_evaluate_resume(small_language, tmp_path, capsys):
    run = ["--run", str(tmp_path), "--device", "cpu"]
    assert cli.main(["train", *run, "--steps", "3"]) == 0
    assert "3 updates" in capsys.readouterr().out
    assert (tmp_path / "loss.svg").read_text().startswith("<?xml")

    assert cli.main(["train", *run, "--steps", "3"]) == 2
    assert "go on with --resume" in capsys.readouterr().err
    assert cli.main(["train", *run, "--steps", "5", "--resume"]) == 0
    assert "5 updates" in capsys.readouterr().out

    picture = tmp_path / "attention.svg"
    assert cli.main(["translate", *run, "The xylophone sleeps", "--attention", str(picture)]) == 0
    captured = capsys.readouterr()
    assert "not in the vocabulary: xylophone" in captured.err
    assert picture.read_text().startswith("<?xml")

    assert cli.main(["evaluate", *run, "--split", "longer"]) == 0
    assert "longer: exact match" in capsys.readouterr().out


@pytest.mark.parametrize("model", ["gru", "bahdanau", "luong"])
def test_every_kind_of_model_runs(small_language, tmp_path, model):
    run = ["--run", str(tmp_path), "--device", "cpu"]
    assert cli.main(["train", *run, "--model", model, "--steps", "1"]) == 0
    drawn = cli.main(["translate", *run, "the cat sleeps .", "--attention", str(tmp_path / "a.svg")])
    assert drawn == (2 if model == "gru" else 0)  # without attention there is nothing to draw


def test_settings_on_the_command_line_reach_the_run(small_language, tmp_path):
    run = ["--run", str(tmp_path), "--device", "cpu", "--steps", "1"]
    chosen = ["--learning-rate", "0.004", "--warmup-steps", "7", "--smoothing", "0.3", "--weight-decay", "0.05"]
    assert cli.main(["train", *run, *chosen, "--batch-tokens", "90", "--update-tokens", "130", "--seed", "6"]) == 0
    config = load_checkpoint(tmp_path / "checkpoint.pt")["config"]
    expected = {"learning_rate": 0.004, "warmup_steps": 7, "smoothing": 0.3, "weight_decay": 0.05, "seed": 6}
    assert expected.items() <= config.items()
    assert (config["micro_batch_tokens"], config["update_tokens"], config["num_steps"]) == (90, 130, 1)


def test_threads_are_one_unless_asked_for(small_language, tmp_path, capsys, monkeypatch):
    asked = []
    monkeypatch.setattr(cli.torch, "set_num_threads", asked.append)
    run = ["--run", str(tmp_path), "--device", "cpu"]
    assert cli.main(["train", *run, "--steps", "1"]) == 0
    assert cli.main(["evaluate", *run, "--threads", "3"]) == 0
    assert asked == [1, 3]
    assert cli.main(["evaluate", *run, "--threads", "0"]) == 2
    assert "threads: expected at least 1, got 0" in capsys.readouterr().err


def test_missing_checkpoint_says_what_to_do(tmp_path, capsys):
    assert cli.main(["translate", "--run", str(tmp_path), "the cat sleeps ."]) == 2
    assert "`python -m transformer_course train` writes one" in capsys.readouterr().err


def test_unknown_language():
    with pytest.raises(ValueError, match="language: expected one of built-in, tatoeba, multi30k, got 'klingon'"):
        load_language("klingon")


def test_dropout_only_where_there_is_some(small_language, tmp_path, capsys):
    assert cli.main(["train", "--run", str(tmp_path), "--model", "luong", "--dropout", "0.1", "--steps", "1"]) == 2
    assert "dropout: expected 0 for luong" in capsys.readouterr().err


def test_real_sentences_with_byte_pairs(tmp_path, capsys):
    lines = [f"Number {i} sees {j}.\tLe {i} voit {j}.\tCC-BY somebody" for i in range(50) for j in range(50)]
    (tmp_path / "fra.txt").write_text("\n".join(lines), encoding="utf-8")
    run = ["--run", str(tmp_path / "run"), "--device", "cpu"]
    real = ["--language", "tatoeba", "--data", str(tmp_path / "fra.txt")]
    assert cli.main(["train", *run, *real, "--steps", "2", "--dropout", "0.1"]) == 0
    assert "Tatoeba" in capsys.readouterr().err  # whom to credit
    assert cli.main(["translate", *run, "Number 3 sees 8."]) == 0
    assert cli.main(["evaluate", *run, *real]) == 0
    assert "test: exact match" in capsys.readouterr().out


def test_a_language_model_is_trained_resumed_and_writes(tmp_path, capsys, monkeypatch):
    data = load_shakespeare()
    short = Shakespeare(data.characters, data.train[:2000], data.validation[:700])
    monkeypatch.setattr(writers, "load_shakespeare", lambda: short)
    run = ["--run", str(tmp_path), "--device", "cpu"]
    train = ["train", "--model", "language", *run, "--batch-tokens", "64"]
    assert cli.main([*train, "--steps", "2"]) == 0
    assert "nats a character" in capsys.readouterr().out
    assert cli.main([*train, "--steps", "2"]) == 2
    assert "go on with --resume" in capsys.readouterr().err
    assert cli.main([*train, "--steps", "4", "--resume"]) == 0
    assert "4 updates" in capsys.readouterr().out
    assert cli.main([*train, "--steps", "5", "--resume", "--smoothing", "0.1"]) == 2
    assert "smoothing" in capsys.readouterr().err

    assert cli.main(["generate", *run, "First Citizen:", "--length", "30", "--seed", "1"]) == 0
    written = capsys.readouterr().out
    assert written.startswith("First Citizen:")
    assert len(written) == len("First Citizen:") + 30 + 1
    assert cli.main(["generate", *run, "First Citizen:", "--length", "30", "--seed", "1"]) == 0
    assert capsys.readouterr().out == written
    assert cli.main(["generate", *run, "\u20ac"]) == 2
    assert "vocabulary" in capsys.readouterr().err


def test_a_translator_is_no_language_model(small_language, tmp_path, capsys):
    run = ["--run", str(tmp_path), "--device", "cpu"]
    assert cli.main(["train", *run, "--steps", "1"]) == 0
    assert cli.main(["generate", *run, "Oh"]) == 2
    assert "expected a language model" in capsys.readouterr().err
