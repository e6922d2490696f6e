"""The directive `quiz`: a question whose choices answer back, with a key that the build has computed.

    :::{quiz}
    The question.

    One choice
    : What is to be said to a reader who chooses it.
    :::

The code cell after it prints the letter of the right choice: a, b, c in their order. The reader's browser needs no
script: a choice is a radio button, and the style sheet shows the answer to the one that is chosen.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

LETTERS = "abcdefgh"

logger = logging.getLogger(__name__)


class Quiz(nodes.General, nodes.Element):
    """A question and its choices; ``key`` is the letter of the right one, known when the cells have run."""


class Choice(nodes.General, nodes.Element):
    """One choice: a paragraph, and what is said to who takes it."""


class QuizDirective(SphinxDirective):
    """`{quiz}` takes the question, then a definition list of choices."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Parse the question and the choices."""
        quiz = Quiz("")
        self.set_source_info(quiz)
        self.state.nested_parse(self.content, self.content_offset, quiz)
        lists = [child for child in quiz.children if isinstance(child, nodes.definition_list)]
        if len(lists) != 1 or quiz.children[-1] is not lists[0] or len(lists[0]) < 2:
            raise self.error("quiz: expected a question, and then two or more choices (`choice` and `: answer`)")
        number = self.env.new_serialno("quiz") + 1
        quiz["name"], quiz["number"] = f"quiz-{number}", number
        quiz.remove(lists[0])
        for letter, item in zip(LETTERS, lists[0].children, strict=False):
            choice = Choice("", letter=letter)
            term, definition = item.children[0], item.children[-1]
            choice += nodes.inline("", "", *term.children)
            choice += nodes.container("", *definition.children)
            quiz += choice
        return [quiz]


class FindKeys(SphinxTransform):
    """Read the key of each quiz from what the next cell has printed."""

    default_priority = 900

    def apply(self, **kwargs) -> None:
        """Set the key, or warn."""
        for quiz in self.document.findall(Quiz):
            siblings = quiz.parent.children[quiz.parent.index(quiz) + 1 :]
            cell = next((node for node in siblings if isinstance(node, nodes.Element)), None)
            printed = "".join(
                block.astext()
                for output in (cell.findall(nodes.container) if cell is not None else ())
                if "cell_output" in output.get("classes", ())
                for block in output.findall(nodes.literal_block)
            ).strip()
            if cell is not None:
                cell["prompt_show"], cell["prompt_hide"] = "How the answer was computed", "Hide the computation"
            choices = [child for child in quiz.children if isinstance(child, Choice)]
            quiz["key"] = printed[:1]
            if printed[:1] not in [choice["letter"] for choice in choices] or printed[1:2].isalnum():
                message = "quiz: expected the letter of a choice, printed by the cell after it, got %r"
                logger.warning(message, printed[:40], location=quiz, type="course", subtype="quiz")


def visit_quiz(translator, node: Quiz) -> None:
    """Open the question: a group of radio buttons."""
    translator.body.append(f'<fieldset class="quiz" aria-labelledby="{node["name"]}">')
    translator.body.append(f'<div class="question" id="{node["name"]}"><span class="number">{node["number"]}</span>')
    translator.quiz = node


def depart_quiz(translator, node: Quiz) -> None:
    """Close the question."""
    translator.body.append("</fieldset>\n")


def visit_choice(translator, node: Choice) -> None:
    """Open a choice; before the first one the question is closed."""
    quiz, letter = translator.quiz, node["letter"]
    if letter == "a":
        translator.body.append("</div>")
    right = quiz.get("key") == letter
    name = f"{quiz['name']}-{letter}"
    translator.body.append(
        f'<div class="choice {"right" if right else "wrong"}"><input type="radio" name="{quiz["name"]}" id="{name}" '
        f'aria-describedby="{name}-answer"><label for="{name}"><span class="letter">{letter}</span> '
    )
    node.children[0].walkabout(translator)
    verdict = "Right." if right else "Not this one."
    translator.body.append(f'</label><div class="answer" id="{name}-answer"><p class="verdict">{verdict}</p>')
    for child in node.children[1].children:
        child.walkabout(translator)
    translator.body.append("</div></div>")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict:
    """Register the directive."""
    app.add_node(Quiz, html=(visit_quiz, depart_quiz))
    app.add_node(Choice, html=(visit_choice, None))
    app.add_directive("quiz", QuizDirective)
    app.add_transform(FindKeys)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
