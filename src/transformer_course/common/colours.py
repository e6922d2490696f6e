"""What a colour means: the same in drawings, plots and formulas, in the book and in the exercises."""

ROLES = {
    "query": "#34489c",
    "key": "#b65310",
    "value": "#27794e",
    "weights": "#660028",
    "masked": "#75667f",
    "source": "#0f7a93",
    "target": "#c9306a",
    "state": "#2b2740",
    "plain": "#5a5e6b",
    "strong": "#23252e",
}
