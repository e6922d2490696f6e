"""What the committed file of this experiment holds, and that this program wrote it."""

from experiments.recipe import run as recipe
from experiments.results import committed


def test_the_file_has_the_settings_of_its_program():
    settings = committed("recipe")["settings"]
    assert (settings["updates"], settings["plain"], settings["runs"]) == (recipe.UPDATES, recipe.PLAIN, recipe.RUNS)
