"""Begins the state of beam search with BOS, though the first tokens are BOS."""

SAYS = "begins with BOS twice"
CHANGES = [
    (
        "beam_search(step, start(row[None]), beam_width",
        "beam_search(step, {**start(row[None]), 'target': torch.tensor([[BOS]])}, beam_width",
    )
]
