"""Returns tensors."""

SAYS = "use `.tolist()`"
CHANGES = [("return sentences[best], scores[best].item()", "return labels[best], scores[best]")]
