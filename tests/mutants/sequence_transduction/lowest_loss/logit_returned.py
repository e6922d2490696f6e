"""Returns the logit, not the probability."""

SAYS = "another word than the right one"
SAME_AS = "other_word"
CHANGES = [
    (
        "logits.softmax(dim=-1)[EOS].item()",
        "logits[EOS].item()",
    ),
]
