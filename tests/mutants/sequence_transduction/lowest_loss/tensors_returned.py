"""Returns tensors."""

SAYS = "use `.item()` for each"
CHANGES = [
    (
        "return loss.item(), logits.softmax(dim=-1)[EOS].item()",
        "return loss, logits.softmax(dim=-1)[EOS]",
    ),
]
