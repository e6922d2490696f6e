"""Similarity: copies are found under other names and in another order; released text and separate work are not."""

import grader_course
import pytest
import similarity_rates

from course_grader import cli, similarity
from course_grader.own_code import Alphabet, own_code
from course_grader.settings import Course
from course_grader.similarity import similar_pairs

MEAN = '''def mean(values):
    """Released words."""
    total = 0.0
    smallest = min(values) * 1.0
    for value in values:
        total = total + value / len(values)
    centred = [value - smallest for value in values]
    square = sum(value**2 for value in centred) ** 0.5
    assert square >= 0 and len(centred) == len(values)
    return sum(centred) / len(centred) + smallest if smallest < total else total
'''
RENAMED = '''def mean(values):
    """Released words."""
    least = min(values) * 1.0  # mine
    s = 0.0
    for x in values:

        s = s + x / len(values)
    shifted = [x - least for x in values]
    norm = sum(x**2 for x in shifted) ** 0.5
    assert norm >= 0 and len(shifted) == len(values)
    return sum(shifted) / len(shifted) + least if least < s else s
'''
OTHER = """def mean(values):
    if not len(values):
        raise ValueError("values: nothing came in, and nothing has no mean")
    numbers = torch.as_tensor(list(values), dtype=torch.float64)
    weights = torch.full((len(numbers),), 1 / len(numbers), dtype=numbers.dtype)
    return torch.dot(numbers, weights).item() if numbers.dim() == 1 else numbers.mean(dim=0).tolist()
"""
RELEASED = 'def mean(values):\n    """Released words."""\n    raise NotImplementedError\n'


def handed_in(mean: str) -> dict:
    """A notebook in which nothing but `mean` was written."""
    return grader_course.submission(mean=mean, affine="class Affine(nn.Module):\n    pass", double="def double(x): ...")


def words(source: str, released: str = "") -> list[str]:
    """The tokens that are somebody's own."""
    alphabet = Alphabet()
    code = own_code(source, released, alphabet)
    names = {symbol: token for token, symbol in alphabet.items()}
    return [names[symbol] for symbol in code.symbols]


@pytest.fixture
def long_course(course):
    """A course whose solution of `mean` is as long as code that can be compared."""
    document = grader_course.source_notebook()
    for cell in document["cells"]:
        if cell["id"] == "mean":
            head, body = OTHER.split("\n", 1)
            cell["source"] = f"{head}\n    ### BEGIN SOLUTION\n{body}    ### END SOLUTION"
    (course.root / "source" / "ps1" / "ps1.ipynb").write_text(grader_course.json.dumps(document))
    return Course(course.root)


def test_tokens_are_what_the_learner_wrote_with_names_of_libraries_kept():
    source = (
        'def f(x):\n    """Doc\n    string."""\n    given(x)\n    import os\n    y = torch.exp(x)  # why\n    return y'
    )
    assert words(source, "def f(x):\n    given(x)\n") == [
        "name",
        "=",
        "name",
        ".",
        "exp",
        "(",
        "name",
        ")",
        "return",
        "name",
    ]


def test_a_cell_that_python_cannot_read_has_tokens():
    assert words("z = helper(2.5e3\ndef helper(") == ["name", "=", "name", "(", "2.5e3", "def", "name", "("]


def test_names_comments_and_layout_change_nothing_and_order_little():
    renamed = MEAN.replace("total", "t").replace("smallest", "low").replace("centred", "c")
    assert words(renamed.replace("= 0.0", "=   0.0  # zero"), RELEASED) == words(MEAN, RELEASED)
    alphabet = Alphabet()
    one, two, three = (
        similarity.Work(name, {"mean": own_code(source, RELEASED, alphabet)})
        for name, source in (("one", MEAN), ("two", RENAMED), ("three", OTHER))
    )
    assert similarity.compare(one, two).score > 0.6
    assert similarity.compare(one, three).score < 0.1


def test_marks_stand_where_the_common_code_is():
    alphabet = Alphabet()
    line = "    first = values.sort(key=len)[2] * 7 - other.size(3)\n"
    sources = f"def f(values):\n{line}    return 1\n", f"x = 5\ndef g(a):\n{line}    y = {{}}\n"
    works = [similarity.Work(str(number), {"f": own_code(text, "", alphabet)}) for number, text in enumerate(sources)]
    for source, places in zip(sources, similarity.compare(*works).common(), strict=True):
        assert line.strip() in " ".join(source[start:end] for start, end in places["f"])


def test_the_command_lists_copies_and_copies_of_the_solution_and_nobody_else(long_course, capsys, monkeypatch):
    works = []
    monkeypatch.setattr(
        similarity, "similar_pairs", lambda read, *more: works.extend(read) or similar_pairs(read, *more)
    )
    evil, renamed = (text.replace("0.0", "0.0 + len('</pre><script>alert(1)</script>')") for text in (MEAN, RENAMED))
    answers = {"amal": evil, "boris": renamed, "chen": OTHER, "dora": "def mean(values):\n    return 1 / 0"}
    answers["emil"] = (
        "def mean(values):\n" + "".join(f"    a{n} = values[{n}] + {n}\n" for n in range(20)) + "    </pre>("
    )
    answers["gil"] = answers["dora"]  # alike, and too short to say anything
    for student, mean in answers.items():
        document = handed_in(mean)
        document["cells"].append(grader_course.cell("plain", grader_course.TEST_DOUBLE.splitlines()[0] + "\nmine = 1"))
        grader_course.submit(long_course.root, student, document)
    stubs = {"mean": "def mean(values):", "affine": "class Affine(nn.Module):"}
    stubs = {name: f"{line}\n    raise NotImplementedError()" for name, line in stubs.items()}
    grader_course.submit(long_course.root, "hans", grader_course.submission(stubs))  # the short task alone is done
    grader_course.submit(long_course.root, "fay", "no notebook")
    assert cli.main(["--course", str(long_course.root), "similarity", "ps1"]) == 0

    printed = capsys.readouterr().out
    pairs = [line.split()[1::2] for line in printed.splitlines() if line.strip()[:1].isdigit() and "pairs" not in line]
    assert sorted(pairs) == [["amal", "boris"], ["source/", "chen"]]
    assert "not compared: dora: only" in printed
    assert "not compared: hans: no answer to a task whose solution has 30 tokens or more" in printed
    assert printed.startswith("compared in: mean")
    assert "not compared: fay: the notebook is not valid JSON" in printed
    assert "2 of 10 pairs" in printed
    page = (long_course.root / "grading" / "ps1" / "similarity.html").read_text()
    assert page.count("<details") == 2
    assert "shifted = [x - least for x in values]" in page.replace("<mark>", "").replace("</mark>", "")
    # Nothing in a submission acts on the page, and what was released is nobody's own.
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    assert {len(work.cells["other"].symbols) for work in works if "other" in work.cells} == {len(["mine", "=", "1"])}


@pytest.mark.parametrize("text", ["0", "101", "x", "40%"])
def test_a_threshold_is_a_percentage(text, capsys):
    with pytest.raises(SystemExit):
        cli.main(["similarity", "ps1", "--threshold", text])
    assert "expected a percentage from 1 to 100" in capsys.readouterr().err


@pytest.mark.parametrize(
    "unit",
    [
        pytest.param(unit, marks=() if unit[:2] in ("04", "12") else pytest.mark.exhaustive)
        for unit in similarity_rates.units()
    ],
)
def test_in_every_unit_copies_stand_out_from_separate_answers(unit):
    found = similarity_rates.measure(unit)
    assert max(pair.score for pair in found["separate"]) < similarity.THRESHOLD - 0.05
    assert min(pair.score for pair in found["copies"]) > similarity.THRESHOLD + 0.15


def test_a_copy_is_another_text_that_does_the_same():
    copied = similarity_rates.copied(MEAN)
    assert "total" not in copied
    scope: dict = {}
    exec(copied, scope)
    assert scope["mean"]([1.0, 2.0, 6.0]) == pytest.approx(3.0)


def test_the_page_on_policies_says_what_was_measured():
    measured = similarity_rates.RESULT.read_text("utf8")
    (row,) = [line for line in measured.splitlines() if line.startswith("| all |")]
    page = (similarity_rates.ROOT / "book" / "course_policies.md").read_text("utf8")
    cells = [cell.strip() for cell in row.split("|")[2:-1]]
    for listed, score in zip(cells[::2], cells[1::2], strict=True):
        assert any(listed in line and score in line for line in page.splitlines()), (listed, score)
    assert f"Runs of {similarity.RUN} tokens; the threshold is a score of {similarity.THRESHOLD:.0%}." in measured
