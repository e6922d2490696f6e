"""Always writes max_length words."""

SAYS = "the loop goes on"
CHANGES = [
    (
        " and not ended.all()",
        "",
    ),
]
