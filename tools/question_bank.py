r"""The questions of the chapters as files that a learning management system imports.

python tools/question_bank.py    after `make book`; writes _build/questions/

moodle.xml holds all questions, a category for each chapter (Moodle: Question bank, Import, Moodle XML format).
NN_slug.zip holds those of one chapter as QTI 1.2 (Canvas: Settings, Import Course Content, QTI .zip file).
Question, choices, reactions and keys are read from the built pages, where the key is what the chapter's cell printed.
Formulas are TeX between ``\(`` and ``\)``, which both systems set with MathJax; links lose their target.
"""

import re
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

import yaml
from bs4 import BeautifulSoup, Tag

from transformer_course.common.units import UNITS

ROOT = Path(__file__).parents[1]
KEPT = {"p", "code", "em", "strong", "ul", "ol", "li", "pre", "table", "tr", "td", "th", "thead", "tbody", "br"}
IMSCP = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"


@dataclass(frozen=True)
class Choice:
    """One choice: its letter, its text and the reaction to it, both HTML, and whether it is the right one."""

    letter: str
    text: str
    reaction: str
    is_right: bool


@dataclass(frozen=True)
class Question:
    """A question of a chapter: its name (`04-2`), its text as HTML, and its choices."""

    name: str
    text: str
    choices: tuple[Choice, ...]


def plain_tex(tex: str, macros: dict[str, str]) -> str:
    r"""Replace the book's own macros, which no other system knows, by what they stand for.

    >>> plain_tex(r"\E(\query{q_{i}})", {r"\E": r"\operatorname{E}", r"\query": r"\htmlClass{role-query}{#1}"})
    '\\operatorname{E}(q_{i})'
    """
    for name, meaning in macros.items():
        pattern = re.escape(name) + r"(?![a-zA-Z])"
        if "#1" not in meaning:
            tex = re.sub(pattern, lambda _, meaning=meaning: meaning, tex)
            continue
        while found := re.search(pattern + r"\s*\{", tex):
            end, depth = found.end(), 1
            while depth:
                depth += {"{": 1, "}": -1}.get(tex[end], 0)
                end += 1
            tex = tex[: found.start()] + tex[found.end() : end - 1] + tex[end:]  # the colour is the book's alone
    return tex


def clean(part: Tag, macros: dict[str, str]) -> str:
    """Return the inside of a part of a page as HTML without classes and links, its formulas as TeX."""
    part = BeautifulSoup(str(part), "html.parser")
    for formula in part.select(".katex"):
        tex = plain_tex(formula.find("annotation").get_text(), macros)
        shown = formula.find_parent(class_="katex-display") is not None
        formula.replace_with(f"\\[{tex}\\]" if shown else f"\\({tex}\\)")
    for tag in part.find_all(True):
        if tag.name in KEPT:
            tag.attrs = {}
        else:
            tag.unwrap()
    return str(part).strip()


def quizzes(page: str) -> list[Tag]:
    """Find the questions of a built page; the rest of it is not parsed, which would take much longer."""
    parts = re.findall(r'<fieldset class="quiz".*?</fieldset>', page, re.DOTALL)
    return [BeautifulSoup(part, "html.parser").fieldset for part in parts]


def read_page(page: str, number: int, macros: dict[str, str]) -> list[Question]:
    """Read the questions of a chapter's built page.

    Raises:
        ValueError: if a question has not exactly one right choice.
    """
    questions = []
    for i, quiz in enumerate(quizzes(page), start=1):
        asked = quiz.select_one(".question")
        asked.select_one(".number").decompose()
        choices = []
        for choice in quiz.select(".choice"):
            answer = choice.select_one(".answer")
            answer.select_one(".verdict").decompose()
            letter = choice.select_one(".letter").extract().get_text()
            label = clean(choice.select_one("label"), macros)
            choices.append(Choice(letter, label, clean(answer, macros), "right" in choice["class"]))
        name = f"{number:02}-{i}"
        if sum(choice.is_right for choice in choices) != 1:
            raise ValueError(f"question {name}: expected one right choice, got {choices}; build the book again")
        questions.append(Question(name, clean(asked, macros), tuple(choices)))
    return questions


def moodle(chapters: dict[str, list[Question]]) -> Element:
    """Return the questions as Moodle XML; keys of ``chapters`` are titles."""
    quiz = Element("quiz")

    def add(parent: Element, tag: str, text: str, **attributes: str) -> Element:
        child = SubElement(parent, tag, attributes)
        SubElement(child, "text").text = text
        return child

    for title, questions in chapters.items():
        category = SubElement(quiz, "question", type="category")
        add(category, "category", f"$course$/top/Attention, from RNN to Transformer/{title.replace('/', '//')}")
        for question in questions:
            entry = SubElement(quiz, "question", type="multichoice")
            add(entry, "name", question.name)
            add(entry, "questiontext", question.text, format="html")
            for tag, value in (("defaultgrade", "1"), ("penalty", "0.5"), ("single", "true"),
                               ("shuffleanswers", "false"), ("answernumbering", "abc")):  # fmt: skip
                SubElement(entry, tag).text = value
            for choice in question.choices:
                answer = add(entry, "answer", choice.text, fraction="100" if choice.is_right else "0", format="html")
                add(answer, "feedback", choice.reaction, format="html")
    return quiz


def qti(name: str, title: str, questions: list[Question]) -> Element:
    """Return the questions of one chapter as an assessment of QTI 1.2, in the form that Canvas reads."""
    root = Element("questestinterop", xmlns=QTI)
    section = SubElement(SubElement(root, "assessment", ident=name, title=title), "section", ident="root_section")

    def material(parent: Element, text: str) -> None:
        SubElement(SubElement(parent, "material"), "mattext", texttype="text/html").text = text

    for question in questions:
        item = SubElement(section, "item", ident=f"q{question.name}", title=question.name)
        metadata = SubElement(SubElement(item, "itemmetadata"), "qtimetadata")
        for label, value in (("question_type", "multiple_choice_question"), ("points_possible", "1")):
            field = SubElement(metadata, "qtimetadatafield")
            SubElement(field, "fieldlabel").text, SubElement(field, "fieldentry").text = label, value
        presentation = SubElement(item, "presentation")
        material(presentation, question.text)
        response = SubElement(presentation, "response_lid", ident="response1", rcardinality="Single")
        shown = SubElement(response, "render_choice")
        for choice in question.choices:
            material(SubElement(shown, "response_label", ident=choice.letter), choice.text)
        processing = SubElement(item, "resprocessing")
        SubElement(SubElement(processing, "outcomes"), "decvar",
                   maxvalue="100", minvalue="0", varname="SCORE", vartype="Decimal")  # fmt: skip
        for choice in question.choices:
            condition = SubElement(processing, "respcondition", {"continue": "Yes"})
            chosen = SubElement(SubElement(condition, "conditionvar"), "varequal", respident="response1")
            chosen.text = choice.letter
            if choice.is_right:
                SubElement(condition, "setvar", action="Set", varname="SCORE").text = "100"
            SubElement(condition, "displayfeedback", feedbacktype="Response", linkrefid=f"{choice.letter}_fb")
        for choice in question.choices:
            material(SubElement(SubElement(item, "itemfeedback", ident=f"{choice.letter}_fb"), "flow_mat"),
                     choice.reaction)  # fmt: skip
    return root


def manifest(name: str) -> Element:
    """Return the list of contents of a QTI package with one assessment."""
    root = Element("manifest", identifier=f"manifest-{name}", xmlns=IMSCP)
    metadata = SubElement(root, "metadata")
    SubElement(metadata, "schema").text, SubElement(metadata, "schemaversion").text = "IMS Content", "1.1.3"
    SubElement(root, "organizations")
    resource = SubElement(SubElement(root, "resources"), "resource", identifier=name, type="imsqti_xmlv1p2")
    SubElement(resource, "file", href=f"{name}.xml")
    return root


def as_text(root: Element) -> bytes:
    """Write an element as an XML file."""
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def write(pages: Path, target: Path) -> int:
    """Write the questions of the built chapters in ``pages`` to ``target``, and count them."""
    macros = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))["sphinx"]["config"]["course_math_macros"]
    chapters = {}
    for unit in UNITS:
        questions = read_page((pages / f"{unit.name}.html").read_text("utf8"), unit.number, macros)
        chapters[unit.label] = questions
        with zipfile.ZipFile(target / f"{unit.name}.zip", "w", zipfile.ZIP_DEFLATED) as package:
            package.writestr("imsmanifest.xml", as_text(manifest(unit.name)))
            package.writestr(f"{unit.name}.xml", as_text(qti(unit.name, unit.label, questions)))
    (target / "moodle.xml").write_bytes(as_text(moodle(chapters)))
    return sum(map(len, chapters.values()))


def main() -> int:
    """Write the files, and say where they are."""
    pages, target = ROOT / "_build/html/book", ROOT / "_build/questions"
    if missing := [unit.name for unit in UNITS if not (pages / f"{unit.name}.html").exists()]:
        print(f"There is no built page of {', '.join(missing)}: `make book` comes first.", file=sys.stderr)
        return 1
    target.mkdir(exist_ok=True)
    print(f"{write(pages, target)} questions of {len(UNITS)} chapters: {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
