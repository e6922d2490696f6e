"""Steps twice."""

SAYS = "`optimizer.step()` is called twice"
CHANGES = [
    (
        """    optimizer.step()
""",
        """    optimizer.step()
    optimizer.zero_grad()
    logits = model(source, decoder_input)
    label_smoothing_loss(logits, labels, smoothing).backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
    optimizer.step()
""",
    ),
]
