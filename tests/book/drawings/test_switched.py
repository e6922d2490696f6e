import base64
import re

import pytest

from drawings.switched import Switched
from transformer_course.common import plots


def plot(height):
    figure, ax = plots.subplots()
    ax.plot([0, 1], [0, height])
    return figure


def test_both_states_are_there_and_the_first_is_shown():
    page = Switched("double <it>", (plot(1), "a line"), (plot(2), "a steeper line"))._repr_html_()
    assert re.findall(r'class="(off|on)"><img [^>]*alt="([^"]*)"', page) == [
        ("off", "a line"),
        ("on", "a steeper line"),
    ]
    assert "checked" not in page.replace(":checked", "")
    assert "double &lt;it&gt;" in page
    (identity,) = re.findall(r'id="([^"]*)"', page)
    assert f'<label for="{identity}">' in page
    first, second = (base64.b64decode(one) for one in re.findall(r"base64,([^\"]*)", page))
    assert b"<svg" in first
    assert first != second


def test_its_text_tells_both_and_no_plot_stays_open():
    before = plots.plt.get_fignums()
    shown = Switched("switch", (plot(1), "a line"), (plot(2), "a steeper line"))
    assert repr(shown).splitlines() == ["a line", "switch:", "a steeper line"]
    assert plots.plt.get_fignums() == before


def test_without_words_there_is_no_switch():
    with pytest.raises(ValueError, match="label"):
        Switched(" ", (plot(1), "a line"), (plot(2), "b"))
    with pytest.raises(ValueError, match="on"):
        Switched("switch", (plot(1), "a line"), (plot(2), ""))
