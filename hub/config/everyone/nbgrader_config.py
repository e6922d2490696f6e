"""nbgrader on the hub, for students and the lecturer: the exchange, and who belongs to the course."""

import tomllib
from pathlib import Path

from nbgrader.auth import JupyterHubAuthPlugin

HUB = tomllib.loads((Path(__file__).resolve().parents[2] / "hub.toml").read_text(encoding="utf-8"))

c = get_config()  # noqa: F821 (nbgrader defines it)

c.CourseDirectory.course_id = HUB["course"]["id"]
c.Exchange.root = HUB["paths"]["exchange"]
c.Exchange.path_includes_course = True
c.Authenticator.plugin_class = JupyterHubAuthPlugin
