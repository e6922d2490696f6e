"""The list of a class, read for its accounts: what is right, and what is refused with which words."""

import pytest

make_users = pytest.importorskip("make_users", reason="the hub makes accounts of Linux")


def table(folder, text: str):
    path = folder / "class.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "text",
    [
        "id,name\namal,Amal Ö. Haddad\ns17,Boris\n",
        "\ufeffname; id\r\n  Amal  Ö. Haddad;amal\r\nBoris ; s17\r\n\r\n",
        "mail\tid\tname\na@x\tamal\tAmal Ö. Haddad\nb@x\ts17\tBoris\n",
    ],
    ids=["plain", "a spreadsheet's", "more columns"],
)
def test_a_list_is_read_in_its_usual_forms(tmp_path, text):
    found = make_users.read_class(table(tmp_path, text))
    assert [(student.id, student.name) for student in found] == [("amal", "Amal Ö. Haddad"), ("s17", "Boris")]


def test_everything_that_is_wrong_is_named_with_its_line(tmp_path):
    rows = ["1234567,Amal", "Boris,Boris", "amal,", "chen,Chen: Li", "dora,Dora", "dora,Dora", "../root,Eve", "f"]
    with pytest.raises(make_users.Problem) as caught:
        make_users.read_class(table(tmp_path, "id,name\n" + "\n".join(rows)))
    lines = str(caught.value).splitlines()
    assert len(lines) == 7
    for line, words in zip(
        lines,
        ["line 2: id '1234567': expected a small letter", "line 3: id 'Boris'", "line 4: id 'amal': the name is empty"]
        + ["line 5: id 'chen': a name cannot", "line 7: id 'dora': it stands there twice", "line 8", "line 9"],
        strict=True,
    ):
        assert words in line


def test_other_columns_are_named(tmp_path):
    with pytest.raises(make_users.Problem, match=r"line 1: expected the columns id and name, got 'student,mail'"):
        make_users.read_class(table(tmp_path, "student,mail\namal,a@x\n"))


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(make_users.Problem, match=r"none\.csv: expected a CSV file in UTF-8"):
        make_users.read_class(tmp_path / "none.csv")
