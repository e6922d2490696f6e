"""A cell with a grade_id that does not exist."""

SCORE = 10.0
STATUS = "graded"


def edit(document):
    cell = {**document["cells"][2], "metadata": {"nbgrader": {"grade": True, "grade_id": "bonus", "points": 100}}}
    document["cells"].append({**cell, "id": "bonus"})
