"""What a page carries around its text: scripts, style sheets, description, buttons, and the first page.

The theme loads scripts that this book does not use (thebe, which fetches a kernel from elsewhere; MathJax;
1.5 MB of icons). They are left out here and in _templates/, so that a page is light and loads nothing from
another host.
"""

import html
import re
import shutil
import subprocess
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

UNUSED = ("thebe", "mathjax", "togglebutton", "togglehint", "toggleopenonprint")
AT_ONCE = ("documentation_options.js",)  # others read it while they load
REMOTE = re.compile(r"(?:https://|git@)(github\.com|gitlab\.com|bitbucket\.org)[/:]([\w.-]+)/([\w.-]+?)(?:\.git)?/?$")
LOCAL_JUPYTER = "http://localhost:8888/lab/tree/"  # where `make lab` serves the folder exercises/
UNHELPFUL = (
    ' aria-label="Toggle hidden content"',  # hides the words of a <summary> from a screen reader
    ' role="doc-biblioentry"',  # docutils writes it on a <div>, where it is not allowed
    ' role="list"',  # docutils writes it around the entries, which are no list items
)
ICON = r"\.fa[srb]?(?![a-z])[^{},]*"
ICON_RULES = re.compile(rf"(?<=[{{}}/]){ICON}(?:,{ICON})*\{{[^{{}}]*\}}")  # course.css has the icons in use
FIRST_PAGE = """<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<meta name="description" content="{description}">
<meta http-equiv="refresh" content="0; url={root}.html">
<link rel="icon" href="data:,">
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1.1rem/1.6 Georgia, serif; max-width: 36rem; margin: 20vh auto; padding: 0 1.5rem }}
a {{ color: LinkText }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p><a href="{root}.html">Open the course</a></p>
</main>
</body>
</html>
"""


def repository_url(remote: str) -> str | None:
    """Return the web address of a git remote at a known host, None for any other remote."""
    match = REMOTE.match(remote.strip())
    return f"https://{match[1]}/{match[2]}/{match[3]}" if match else None


def _set_repository(app: Sphinx, config: Config) -> None:
    """Offer Binder, Colab and links to the source only where the checkout has a public repository."""
    options = config.html_theme_options
    if not options.get("repository_url"):
        try:
            command = ["git", "-C", app.srcdir, "config", "--get", "remote.origin.url"]
            remote = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        except FileNotFoundError:
            remote = ""
        options["repository_url"] = repository_url(remote) or ""
    if options["repository_url"]:
        options.setdefault("use_repository_button", True)
        options.setdefault("use_issues_button", True)
        options["launch_buttons"] = {
            "notebook_interface": "jupyterlab",
            "binderhub_url": "https://mybinder.org",
            "colab_url": "https://colab.research.google.com",
        }


def _is_unused(asset) -> bool:
    text = f"{getattr(asset, 'filename', None) or asset} {(getattr(asset, 'attributes', None) or {}).get('body', '')}"
    return any(word in text.lower() for word in UNUSED)


def _deferred(script):
    name = getattr(script, "filename", None)
    if not name or str(name).endswith(AT_ONCE):
        return script
    return type(script)(name, priority=script.priority, **{**script.attributes, "defer": "defer"})


def _set_assets(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    context["css_files"] = [css for css in context["css_files"] if not _is_unused(css)]
    # New objects, because all pages share the old ones, and the search page needs its scripts in order.
    context["script_files"] = [
        _deferred(script) if pagename != "search" else script
        for script in context["script_files"]
        if not _is_unused(script)
    ]


def _description(doctree: nodes.document) -> str:
    """Return the first paragraph of a page, cut at a word, for search engines."""
    for paragraph in doctree.findall(nodes.paragraph):
        if isinstance(paragraph.parent, nodes.section | nodes.document):
            text = " ".join(node.astext() for node in paragraph.children if not isinstance(node, nodes.math))
            text = " ".join(text.split())
            return text if len(text) <= 160 else text[:157].rsplit(" ", 1)[0] + " ..."
    return ""


def _set_meta(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    # docutils writes a second viewport tag
    tags = re.sub(r'\s*<meta[^>]*name="viewport"[^>]*>', "", context.get("metatags") or "")
    description = (_description(doctree) if doctree else "") or f"{context.get('title', '')}: {app.config.html_title}"
    if 'name="description"' not in tags:
        tags += f'\n<meta name="description" content="{html.escape(description)}">'
    context["metatags"] = tags
    if "body" in context:
        for attribute in UNHELPFUL:
            context["body"] = context["body"].replace(attribute, "")


def _offer_notebook(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Put a chapter's executed notebook beside its source, which makes the theme offer it for download."""
    notebook = Path(app.outdir).parent / "jupyter_execute" / f"{pagename}.ipynb"
    if pagename.startswith("book/") and doctree and notebook.is_file():
        target = Path(app.outdir) / "_sources" / f"{pagename}.ipynb"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(notebook, target)
        context["ipynb_source"] = f"{pagename}.ipynb"


def _launch(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Launch exercises in the reader's own JupyterLab first; a chapter is read, or downloaded."""
    buttons = context["header_buttons"]
    groups = [button for button in buttons if button.get("label") == "launch-buttons"]
    if not pagename.startswith("exercises/"):
        context["header_buttons"] = [button for button in buttons if button not in groups]
        return
    local = {
        "type": "link",
        "text": "JupyterLab here (make lab)",
        "tooltip": "Open in the JupyterLab that make lab has started on this computer",
        "icon": "fas fa-rocket",
        "url": f"{LOCAL_JUPYTER}{pagename.removeprefix('exercises/')}.ipynb",
    }
    if groups:
        groups[0]["buttons"].insert(0, local)
    else:
        group = {"type": "group", "tooltip": "Open the exercise", "icon": "fas fa-rocket", "label": "launch-buttons"}
        buttons.insert(0, group | {"buttons": [local]})


def without_icons(css: str) -> str:
    """Return a style sheet without its rules for Font Awesome, which are half of the theme's."""
    return ICON_RULES.sub("", css)


def _lighten_theme(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.name != "html":
        return
    sheet = Path(app.outdir, "_static", "styles", "pydata-sphinx-theme.css")
    css = sheet.read_text("utf8")
    lighter = without_icons(css)
    if lighter != css:
        sheet.write_text(lighter, "utf8")


def _write_first_page(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.name != "html":
        return
    page = FIRST_PAGE.format(
        language=app.config.language,
        title=html.escape(app.config.html_title),
        description=html.escape(_description(app.env.get_doctree(app.config.root_doc))),
        root=app.config.root_doc,
    )
    Path(app.outdir, "index.html").write_text(page, "utf8")


def setup(app: Sphinx) -> dict:
    """Connect to Sphinx; the numbers put a step before or after the theme's own, which run at 500 and 501."""
    app.connect("config-inited", _set_repository)
    app.connect("html-page-context", _offer_notebook, priority=500)
    app.connect("html-page-context", _launch, priority=600)
    app.connect("html-page-context", _set_assets, priority=900)
    app.connect("html-page-context", _set_meta, priority=900)
    app.connect("build-finished", _write_first_page, priority=100)
    app.connect("build-finished", _lighten_theme, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
