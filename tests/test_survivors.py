"""The tool that counts the small changes of the library that its tests do not notice; the share that it has kept."""

import mutants
import pytest
import survivors

from transformer_course.common.units import UNITS

# Of the small changes that were tried, the share that survives: after a measurement it is written lower, never higher.
AT_MOST = {"library": 0.0545, "solutions": 0.062}

MODULE = '''
"""A module."""
BASE = 3


def above(number, limit=10):
    """Say by how much a number is above a limit, at least 0.

    >>> above(12)
    2
    """
    if number > limit:
        return number - limit
    return 0
'''
TEST = """
from small_module import above


def test_above():
    assert above(7, 5) == 2
    assert above(7, 9) == 0
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module of its own, and a test that leaves two holes: no limit is not tried, nor a number that is the limit."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(survivors, "ROOT", tmp_path)
    (tmp_path / "small_module.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "test_small_module.py").write_text(TEST, encoding="utf-8")
    return survivors.Module("small_module", tmp_path / "small_module.py", (tmp_path / "test_small_module.py",))


def test_what_no_test_notices_survives_and_an_example_is_a_test(module):
    some = ("above: `10`: 10 becomes 9", "above: `number > limit`: Gt becomes GtE", "above: `0`: 0 becomes 1")
    changes = [each for each in survivors.small_changes(MODULE, every=1) if each[0] in some]
    assert survivors.survivors(module, changes) == [some[0], some[1]]
    with_examples = survivors.Module(module.name, module.path, (module.path, *module.tests))
    assert survivors.survivors(with_examples, changes) == [some[1]]


def test_tests_that_fail_measure_nothing(module):
    module.tests[0].write_text("def test_no():\n    assert False\n", encoding="utf-8")
    with pytest.raises(ValueError, match="small_module: expected tests that pass"):
        survivors.survivors(module, [])


def test_which_changes_are_tried_does_not_depend_on_other_lines():
    some = {words for words, *_ in survivors.small_changes(MODULE, every=2)}
    all_of_them = {words for words, *_ in survivors.small_changes(MODULE, every=1)}
    longer = MODULE.replace("BASE = 3", "BASE = 3\nOTHER = 4")
    assert some < all_of_them
    assert some <= {words for words, *_ in survivors.small_changes(longer, every=2)}


def test_a_share_that_rises_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(mutants, "RECORD", tmp_path / "survivors.json")
    assert mutants.keep("library", "04", 10, ["a", "b"])
    assert mutants.keep("library", "04", 11, ["a", "c"])
    assert not mutants.keep("library", "04", 11, ["a", "c", "d"])
    assert mutants.record() == {"library": {"04": {"tried": 11, "survive": ["a", "c"]}}, "solutions": {}}


@pytest.mark.parametrize("part", AT_MOST)
def test_the_share_that_is_kept_does_not_rise(part):
    kept = mutants.record()[part]  # of the units that were measured so far
    assert kept
    assert set(kept) <= {unit.name for unit in UNITS}
    share = mutants.share(*kept.values())
    assert AT_MOST[part] - 0.005 < share <= AT_MOST[part], f"{share:.4f}: where it fell, AT_MOST follows"


MEASURED = [unit.slug for unit in UNITS if unit.name in mutants.record()["library"]]


@pytest.mark.parametrize("slug", MEASURED)
def test_what_is_kept_is_of_the_code_that_is_there(slug):
    """A survivor whose line is no longer there would count for nothing: `python tools/survivors.py NN` looks anew."""
    unit = next(unit for unit in UNITS if unit.slug == slug)
    kept = mutants.record()["library"][unit.name]
    now = [words for words, *_ in survivors.small_changes(survivors.of_unit(slug).path.read_text(encoding="utf-8"))]
    assert set(kept["survive"]) <= set(now)
    assert len(now) == pytest.approx(kept["tried"], rel=0.1, abs=3), "much of the module is new"


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("slug", MEASURED)
def test_the_tests_of_a_unit_notice_what_they_noticed(slug):
    unit, module = next(unit for unit in UNITS if unit.slug == slug), survivors.of_unit(slug)
    changes = list(survivors.small_changes(module.path.read_text(encoding="utf-8")))
    kept = set(mutants.record()["library"][unit.name]["survive"])
    assert survivors.survivors(module, [each for each in changes if each[0] not in kept]) == []
