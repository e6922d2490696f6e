"""What a book has when it stands at an address: sitemap, cards, and old names that lead on."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest
import yaml
from bs4 import BeautifulSoup
from matplotlib.image import imread

CONF = """
project = "Small"
extensions = ["course_address"]
redirects = {"before": "now.html"}
"""


@pytest.fixture(scope="module")
def build(root, tmp_path_factory):
    """Build a book of two pages at an address; return its folder and what was said on the way."""

    def run(address: str):
        folder = tmp_path_factory.mktemp("small")
        (folder / "conf.py").write_text(CONF, "utf8")
        (folder / "index.rst").write_text("Start\n=====\n\nFirst words.\n\n.. toctree::\n\n   now\n", "utf8")
        (folder / "now.rst").write_text("Masks\n=====\n\nWhat may be seen?\n", "utf8")
        done = subprocess.run(
            [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", folder, folder / "html"],
            env={**os.environ, "BOOK_ADDRESS": address, "PYTHONPATH": str(root / "book" / "_ext")},
            capture_output=True,
            text=True,
        )
        return folder / "html", done

    return run


@pytest.fixture(scope="module")
def at_an_address(build):
    html, done = build("https://example.org/course")
    assert done.returncode == 0, done.stderr
    return html


def test_the_sitemap_names_each_page_once(at_an_address):
    places = [place.text for place in ET.parse(at_an_address / "sitemap.xml").iter() if place.tag.endswith("loc")]
    assert sorted(places) == [f"https://example.org/course/{name}.html" for name in ("index", "now")]


def test_a_shared_link_shows_title_words_and_a_picture(at_an_address):
    page = BeautifulSoup((at_an_address / "now.html").read_text("utf8"), "html.parser")
    card = {tag["property"]: tag["content"] for tag in page.find_all("meta", property=True)}
    assert card["og:title"] == "Masks"
    assert card["og:description"] == "What may be seen?"
    assert card["og:url"] == "https://example.org/course/now.html"
    picture = at_an_address / card["og:image"].removeprefix("https://example.org/course/")
    height, width = imread(picture).shape[:2]
    assert width / height == pytest.approx(1.91, abs=0.02)  # the shape in which the large services show it


def test_an_old_name_leads_on(at_an_address):
    assert 'url=now.html"' in (at_an_address / "before.html").read_text("utf8")


def test_without_an_address_there_is_neither_and_a_wrong_one_is_refused(build):
    html, done = build("")
    assert done.returncode == 0, done.stderr
    assert not (html / "sitemap.xml").exists()
    assert "og:" not in (html / "now.html").read_text("utf8")
    assert (html / "before.html").is_file()
    _, done = build("example.org")
    assert done.returncode != 0
    assert "must begin with https:// and name a host" in done.stderr


def test_every_page_that_ever_had_a_name_still_answers_to_it(root):
    log = ["git", "-C", str(root), "log", "--diff-filter=DR", "--name-status", "--format=", "--", "book/*.md"]
    found = subprocess.run(log, capture_output=True, text=True)
    if found.returncode:
        pytest.skip("not a git checkout")
    before = {line.split("\t")[1].removesuffix(".md") for line in found.stdout.splitlines() if line}
    redirects = yaml.safe_load((root / "_config.yml").read_text("utf8"))["sphinx"]["config"]["redirects"]
    gone = {name for name in before if not (root / f"{name}.md").exists()}
    assert gone <= set(redirects), f"moved without a redirect: {sorted(gone - set(redirects))}"
