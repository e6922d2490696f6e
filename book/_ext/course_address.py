"""What a published book has on top: a sitemap, and for each page the card that a shared link shows.

All of it needs the book's address: `baseurl` in _config.yml, or the variable BOOK_ADDRESS of the environment, which a
forge sets while it publishes. Without an address nothing is added. Old names of pages lead on in both cases.
"""

import os
from pathlib import Path
from urllib.parse import urlsplit

from sphinx.application import Sphinx
from sphinx.errors import ConfigError

ICON = Path(__file__).parents[1] / "_static" / "icon.png"  # favicon.svg, drawn in 180 pixels


def _address(app: Sphinx) -> str:
    """Return the address with a slash at its end, or nothing.

    Raises:
        ConfigError: if it is no address of the web.
    """
    address = os.environ.get("BOOK_ADDRESS") or app.config.html_baseurl or ""
    if address and (urlsplit(address).scheme not in {"http", "https"} or not urlsplit(address).netloc):
        raise ConfigError(f"the address of the book must begin with https:// and name a host, but it is {address!r}")
    return address and address.rstrip("/") + "/"


def setup(app: Sphinx) -> dict:
    """Connect to Sphinx."""
    app.setup_extension("sphinx_reredirects")
    if address := _address(app):
        app.config.html_baseurl = app.config.ogp_site_url = address
        app.config.sitemap_url_scheme = "{link}"
        app.config.sitemap_excludes = ["genindex.html", "search.html"]  # no pages to be found
        app.config.ogp_enable_meta_description = False  # course_page writes it, with an address or without
        app.config.ogp_social_cards = {
            "line_color": "#34489c",
            "font": "DejaVu Sans",
            "image_mini": str(ICON),
        }
        app.setup_extension("sphinx_sitemap")
        app.setup_extension("sphinxext.opengraph")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
