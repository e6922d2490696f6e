"""The questions of the chapters as files for Moodle and Canvas, read back."""

import zipfile
from xml.etree import ElementTree

import pytest
import question_bank

from transformer_course.common.units import UNITS

QTI = {"q": question_bank.QTI}
IMSCP = {"c": question_bank.IMSCP}
PAGE = """<fieldset class="quiz"><div class="question" id="quiz-1"><span class="number">1</span><p>What is
<span class="math"><span class="katex"><math><annotation>\\query{q}_1 &lt; 2</annotation></math>
<b>q</b></span></span>?</p>
</div><div class="choice KEY"><input id="a"><label><span class="letter">a</span> <em class="x">One</em></label>
<div class="answer"><p class="verdict">Right.</p><p>Yes, see <a href="/other.html">there</a>.</p></div></div>
<div class="choice wrong"><input id="b"><label><span class="letter">b</span> Two</label><div class="answer">
<p class="verdict">Not this one.</p><p>No.</p></div></div></fieldset>"""


@pytest.fixture(scope="module")
def pages(book):
    """Return the title and the built page of each chapter."""
    return {unit.name: (book / f"book/{unit.name}.html").read_text("utf8") for unit in UNITS}


@pytest.fixture(scope="module")
def written(book, tmp_path_factory):
    """Write the files from the built book."""
    target = tmp_path_factory.mktemp("questions")
    question_bank.write(book / "book", target)
    return target


def test_a_question_keeps_its_words_formulas_and_key_and_nothing_of_the_page():
    macros = {r"\query": r"\htmlClass{role-query}{#1}"}
    [question] = question_bank.read_page(PAGE.replace("KEY", "right"), 4, macros)
    assert question.name == "04-1"
    assert question.text == r"<p>What is" "\n" r"\(q_1 &lt; 2\)?</p>"
    first, second = question.choices
    assert (first.letter, first.text, first.is_right) == ("a", "<em>One</em>", True)
    assert first.reaction == "<p>Yes, see there.</p>"
    assert (second.letter, second.text, second.reaction, second.is_right) == ("b", "Two", "<p>No.</p>", False)


def test_a_page_without_a_key_is_refused():
    with pytest.raises(ValueError, match="question 04-1: expected one right choice"):
        question_bank.read_page(PAGE.replace("KEY", "wrong"), 4, {})


def test_moodle_gets_every_question_with_one_right_choice_and_a_reaction_to_each(pages, written):
    root = ElementTree.parse(written / "moodle.xml").getroot()
    questions = [entry for entry in root if entry.get("type") == "multichoice"]
    assert len(questions) == sum(page.count('<fieldset class="quiz"') for page in pages.values()) > 40
    for entry in questions:
        answers = entry.findall("answer")
        assert sorted(answer.get("fraction") for answer in answers) == ["0"] * (len(answers) - 1) + ["100"]
        assert all(answer.findtext("feedback/text") for answer in answers)
    categories = [entry.findtext("category/text") for entry in root if entry.get("type") == "category"]
    assert len(set(categories)) == len(UNITS)


def test_canvas_gets_a_package_for_each_chapter_with_the_same_keys(pages, written):
    for name, page in pages.items():
        with zipfile.ZipFile(written / f"{name}.zip") as package:
            listed = ElementTree.fromstring(package.read("imsmanifest.xml")).findall(".//c:file", IMSCP)
            assert [file.get("href") for file in listed] == [f"{name}.xml"]
            items = ElementTree.fromstring(package.read(f"{name}.xml")).findall(".//q:item", QTI)
        keys = [quiz.select_one(".choice.right .letter").get_text() for quiz in question_bank.quizzes(page)]
        scored = [
            [case.findtext("q:conditionvar/q:varequal", None, QTI) for case in item.iterfind(".//q:respcondition", QTI)
             if case.find("q:setvar", QTI) is not None]
            for item in items
        ]  # fmt: skip
        assert scored == [[key] for key in keys]
        for item in items:
            shown = {feedback.get("linkrefid") for feedback in item.iterfind(".//q:displayfeedback", QTI)}
            assert shown == {feedback.get("ident") for feedback in item.iterfind("q:itemfeedback", QTI)}


def test_no_system_meets_a_class_a_script_or_a_macro_of_the_book(written):
    text = (written / "moodle.xml").read_text("utf8")
    for unknown in (
        "class=",
        "htmlClass",
        "<math",
        "href=",
        *(rf"\{name}{{" for name in ("query", "key", "val", "src", "tgt")),
    ):
        assert unknown not in text
