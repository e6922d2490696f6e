"""The one list of units, and the tool that writes it where no program asks for it."""

import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
import units
import yaml
from notebooks import ROOT

from transformer_course.common.units import PARTS, SLUGS, UNITS, Part, Unit

LATER = (
    Unit(len(UNITS) + 1, "more", ("One more", "unit"), adds="a little", lesson="that it is easy"),
    Unit(len(UNITS) + 2, "last", ("The last",), adds="an end", lesson="when to stop"),
)


def test_numbers_count_the_units_and_every_name_is_its_own():
    assert [unit.number for unit in UNITS] == list(range(1, len(UNITS) + 1))
    assert len(set(SLUGS)) == len(UNITS)
    assert (UNITS[5].name, UNITS[3].label) == ("06_masking", "04 Scaled dot-product attention")


def test_the_list_can_be_had_without_torch():
    program = "import sys, transformer_course.common.units; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_files_of_the_repository_are_up_to_date():
    assert units.main(["check"]) == 0


def test_a_second_part_has_its_own_caption_in_the_contents():
    *before, part = yaml.safe_load("parts:\n" + units.contents((*PARTS, Part("And then: the rest", LATER))))["parts"]
    assert [part["caption"] for part in before] == [part.caption for part in PARTS]
    assert part["caption"] == "And then: the rest"
    assert [chapter["file"] for chapter in part["chapters"]] == [f"book/{unit.name}" for unit in LATER]
    exercise = {"file": f"exercises/{LATER[1].name}/{LATER[1].name}", "title": "Exercise"}
    assert part["chapters"][1]["sections"] == [exercise]


def test_one_more_unit_is_noticed_and_written(tmp_path, monkeypatch, capsys):
    for name in ("README.md", "_toc.yml"):
        shutil.copy(ROOT / name, tmp_path)
    monkeypatch.setattr(units, "UNITS", UNITS + LATER[:1])
    assert units.main(["check"], tmp_path) == 1
    assert capsys.readouterr().err.split(":")[0] == "README.md"
    assert units.main(["write"], tmp_path) == units.main(["check"], tmp_path) == 0
    before, after = ((folder / "README.md").read_text("utf8").splitlines() for folder in (ROOT, tmp_path))
    (added,) = set(after) - set(before)
    assert added.startswith(f"| {LATER[0].number} One more unit | [chapter](book/{LATER[0].number}_more.md) |")
    assert [line for line in after if line != added] == before


@pytest.mark.parametrize("text", ["begin\n", "end\nbegin\n", "begin\nbegin\nend\n", "begin\nend\nend\n"])
def test_a_file_without_its_two_comments_is_refused(text):
    with pytest.raises(ValueError, match="once each"):
        units.with_units(text, "begin\n", "end\n", "")
    assert units.with_units("a\nbegin\nold\nend\nb\n", "begin\n", "end\n", "new\n") == "a\nbegin\nnew\nend\nb\n"


def test_a_wrong_verb_writes_nothing(capsys):
    assert units.main(["wrote"]) == 2
    assert "tools/units.py check" in capsys.readouterr().err


@pytest.fixture
def selection(pytestconfig):
    """The conftest of all tests, which understands --unit."""
    return pytestconfig.pluginmanager.get_plugin(str(ROOT / "tests" / "conftest.py"))


@pytest.mark.parametrize(
    ("path", "slug"),
    [
        ("tests/test_transformer.py", "transformer"),
        ("tests/test_transformer_blocks.py", "transformer_blocks"),
        ("tests/test_rnn_encoder_decoder_beam_search.py", "rnn_encoder_decoder"),
        ("src/transformer_course/decoding.py", "decoding"),
        ("src/course_checks/masking/causal_mask.py", "masking"),
        ("src/transformer_course/generation/cached_generation.py", None),
        ("tests/test_chapters.py", None),
    ],
)
def test_a_file_belongs_to_the_unit_with_the_longest_name(selection, path, slug):
    assert getattr(selection.owner(ROOT / path), "slug", None) == slug


@pytest.mark.parametrize(
    ("test", "mark", "wanted"),
    [
        ("test_masking.py::test_shape", "", True),
        ("test_masking.py::test_training", "slow", False),
        ("test_transformer.py::test_something[06-1]", "", False),
        ("test_solutions.py::test_a_solved_notebook[06_masking]", "", True),
        ("test_exercises.py::test_a_wrong_answer[06-causal_mask-upper_triangle]", "", True),
        ("test_exercises.py::test_a_wrong_answer[07-merge_heads-06]", "", False),
        ("test_exercises.py::test_something", "", False),
        ("test_pages.py::test_a_page[06_masking]", "book", False),
    ],
)
def test_a_test_concerns_a_unit_by_its_file_or_its_parameters(selection, test, mark, wanted):
    file, _, name = test.partition("::")
    item = SimpleNamespace(path=ROOT / "tests" / file, name=name, get_closest_marker=lambda asked: asked == mark)
    assert selection.concerns(item, UNITS[5]) is wanted


@pytest.mark.parametrize("asked", ["", "1", "99"])
def test_a_unit_that_is_none_or_several_is_refused(selection, asked):
    with pytest.raises(pytest.UsageError, match="expected the number of a unit"):
        selection.pytest_configure(SimpleNamespace(getoption=lambda name: asked))
