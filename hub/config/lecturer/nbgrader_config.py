"""nbgrader on the hub, for the lecturer: the course folder in the home folder, with the settings that lie in it."""

import tomllib
from pathlib import Path

HUB = tomllib.loads((Path(__file__).resolve().parents[2] / "hub.toml").read_text(encoding="utf-8"))
COURSE = Path.home() / HUB["course"]["id"]

c = get_config()  # noqa: F821 (nbgrader defines it)

if (COURSE / "nbgrader_config.py").is_file():
    load_subconfig(str(COURSE / "nbgrader_config.py"))  # noqa: F821 (so does it this)
c.CourseDirectory.root = str(COURSE)
