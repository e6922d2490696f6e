"""Has not begun."""

SAYS = "NameError"


# predictions = {
#     "a word of its source": "...",
#     "word 3 of its target": "...",
#     "word order of its source": "...",
#     "PAD after its source": "...",
#     "a word of another sentence": "...",
# }
raise NotImplementedError
