"""Counts only the sure links that the map could hit."""

SAYS = "are left out of |S|"
CHANGES = [
    (
        "if not links and not sure:",
        """sure = {link for link in sure if link[0] < len(weights)}
    if not links and not sure:""",
    ),
]
