"""Encodes the whole batch once, and searches in its rows."""

CHANGES = [
    (
        "            found = [beam_search(step, start(row[None]), beam_width, max_length, alpha)[0] for row in source]",
        """            whole = start(source)
            rows = [{name: part[i : i + 1] for name, part in whole.items()} for i in range(len(source))]
            found = [beam_search(step, row, beam_width, max_length, alpha)[0] for row in rows]""",
    )
]
