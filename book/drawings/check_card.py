"""What a check says, as a card: each of its parts in a row of its own."""

import re
from html import escape

from IPython.display import HTML

PART = re.compile(r"^  ([a-z][a-z ]*):\s+(.*)$")


def check_card(message: str) -> HTML:
    """Show the message of a check that did not pass.

    Args:
        message: its text: a line that says which task and where, then lines such as ``  observed:      ...``.

    Returns:
        The card, for the end of a cell.

    Raises:
        ValueError: if a line after the first is no such part.
    """
    first, *lines = message.splitlines()
    name, _, situation = first.partition(": ")
    situation = escape(situation).replace(" = ", "&nbsp;=&nbsp;")
    rows = []
    for line in lines:
        part = PART.match(line)
        if not part:
            raise ValueError(f"message: expected lines such as '  observed:   ...', got {line!r}")
        rows.append(f"<dt>{escape(part[1])}</dt><dd>{escape(part[2])}</dd>")
    return HTML(f'<div class="check-card"><p><code>{escape(name)}</code> {situation}</p><dl>{"".join(rows)}</dl></div>')
