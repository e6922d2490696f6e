"""Self-contained HTML pages: one style, no script, everything from a submission escaped."""

from html import escape

from course_grader.messages import writable


class Markup(str):
    """HTML that is made already, which a table takes as it is."""


_STYLE = """
:root { color-scheme: light dark; --line: #d0d4da; --soft: #f4f5f7; --text: #1d2329; --ground: #ffffff;
  --good: #1a6b3c; --bad: #a3261c; --accent: #24527a; --mark: #f7e3a1; }
@media (prefers-color-scheme: dark) { :root { --line: #3b434c; --soft: #20262c; --text: #e4e7ea; --ground: #15191d;
  --good: #6fcf97; --bad: #ff9a8f; --accent: #8fc1ee; --mark: #5a4a14; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
  color: var(--text); background: var(--ground); }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; } h3 { font-size: 1rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
th, td { text-align: left; padding: 0.3rem 0.7rem 0.3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { background: var(--soft); padding: 0.7rem 0.9rem; overflow-x: auto; white-space: pre-wrap;
  overflow-wrap: anywhere; font-size: 0.85rem; border-radius: 4px; }
.good { color: var(--good); } .bad { color: var(--bad); } .label { color: var(--accent); font-size: 0.85rem; }
.warning { border: 2px solid var(--bad); padding: 0.6rem 1rem; border-radius: 4px; font-weight: 600; }
img { max-width: 100%; background: #ffffff; } .text { white-space: pre-wrap; overflow-wrap: anywhere; }
p.text { margin: 0 0 0.3rem; } math { font-size: 1.08em; } math[display="block"] { margin: 0.6rem 0; }
dl.said { margin: 0.2rem 0 0; display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 0.9rem; }
dl.said dt { color: var(--accent); } dl.said dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.verdict { border-left: 4px solid var(--line); padding: 0.3rem 0.9rem; margin: 0.6rem 0 1.4rem; }
.verdict.is-good { border-color: var(--good); } .verdict.is-bad { border-color: var(--bad); }
details { border-top: 1px solid var(--line); padding: 0.6rem 0; } summary { cursor: pointer; font-weight: 600; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 1rem; }
.pair > div { min-width: 0; } .pair p, .pair pre { margin: 0 0 0.4rem; }
mark { background: var(--mark); color: inherit; }
@media (max-width: 36rem) { dl.said { grid-template-columns: 1fr; gap: 0; } dl.said dd { margin-bottom: 0.4rem; } }
"""


def page(title: str, body: str) -> str:
    """Return a page. Its policy lets a browser load nothing and run nothing, whatever the body holds."""
    policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'"
    return writable(
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body>\n<main>\n{body}\n</main>\n</body></html>\n"
    )


def table(header: list[str], rows: list[list], numbers: tuple[int, ...] = ()) -> str:
    """Return a table; every cell but `Markup` is escaped, and columns in ``numbers`` are set as numbers."""

    def line(cells, tag: str) -> str:
        made = []
        for position, each in enumerate(cells):
            kind = ' class="number"' if position in numbers else ""
            scope = ' scope="col"' if tag == "th" else ""
            shown = each if isinstance(each, Markup) else escape(str(each))
            made.append(f"<{tag}{kind}{scope}>{shown}</{tag}>")
        return f"<tr>{''.join(made)}</tr>"

    body = "\n".join(line(row, "td") for row in rows)
    return f'<div class="wide"><table><thead>{line(header, "th")}</thead><tbody>\n{body}\n</tbody></table></div>'


def points(value: float) -> str:
    """Return points without needless zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
