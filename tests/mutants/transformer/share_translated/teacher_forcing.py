"""Gives the model the right words and compares what it says next."""

SAYS = "reads the right translation while it is measured"
CHANGES = [
    (
        """        memory, written = model.encode(source), target[:, :1]
        for _ in range(labels.shape[1]):
            logits = model.decode(written, memory, source)[:, -1]  # (batch, target_vocab_size)
            written = torch.cat([written, logits.argmax(dim=-1, keepdim=True)], dim=1)
""",
        """        logits = model.decode(target[:, :-1], model.encode(source), source)
        written = torch.cat([target[:, :1], logits.argmax(-1)], dim=1)
""",
    ),
]
