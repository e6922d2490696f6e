"""The one list of units, and the tool that writes it where no program asks for it."""

import shutil
import subprocess
import sys

import pytest
import units
import yaml
from notebooks import ROOT

from transformer_course.units import PARTS, SLUGS, UNITS, Part, Unit

LATER = (
    Unit(len(UNITS) + 1, "more", ("One more", "unit"), adds="a little", lesson="that it is easy"),
    Unit(len(UNITS) + 2, "last", ("The last",), adds="an end", lesson="when to stop"),
)


def test_numbers_count_the_units_and_every_name_is_its_own():
    assert [unit.number for unit in UNITS] == list(range(1, len(UNITS) + 1))
    assert len(set(SLUGS)) == len(UNITS)
    assert (UNITS[5].name, UNITS[3].label) == ("06_masking", "04 Scaled dot-product attention")


def test_the_list_can_be_had_without_torch():
    program = "import sys, transformer_course.units; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_files_of_the_repository_are_up_to_date():
    assert units.main(["check"]) == 0


def test_a_second_part_has_its_own_caption_in_the_contents():
    *before, part = yaml.safe_load("parts:\n" + units.contents((*PARTS, Part("And then: the rest", LATER))))["parts"]
    assert [part["caption"] for part in before] == [part.caption for part in PARTS]
    assert part["caption"] == "And then: the rest"
    assert [chapter["file"] for chapter in part["chapters"]] == [f"book/{unit.name}" for unit in LATER]
    assert part["chapters"][1]["sections"] == [{"file": f"exercises/{LATER[1].name}/{LATER[1].name}"}]


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
