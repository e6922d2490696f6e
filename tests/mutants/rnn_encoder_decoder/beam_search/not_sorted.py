"""Returns sentences in the order in which they ended."""

SAYS = "the list is not sorted"
CHANGES = [
    (
        "return sorted(results, key=lambda result: result[1], reverse=True)[:beam_width]",
        "return results[:beam_width]",
    ),
]
