"""What README.md and its page say of `course-check` is what it prints."""

import pytest
from notebooks import ROOT

from course_checks.cli import main

EXAMPLE = ROOT / "docs" / "examples" / "my_attention.py"


@pytest.mark.parametrize("page", ["README.md", "book/check_your_own.md"])
def test_the_output_that_is_shown_is_the_output(page, capsys):
    text = (ROOT / page).read_text("utf-8")
    code = EXAMPLE.read_text("utf-8").partition("\n\n\n")[2]
    assert f"```python\n{code}```" in text
    assert main(["scaled_dot_product_attention", f"{EXAMPLE}:my_attention"]) == 1
    printed = capsys.readouterr().out.strip()
    command = "$ course-check scaled_dot_product_attention my_attention.py:my_attention"
    assert f"```console\n{command}\n{printed}\n```" in text
