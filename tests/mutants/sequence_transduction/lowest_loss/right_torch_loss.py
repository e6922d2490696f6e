"""Uses torch's loss, plain gradient descent with large steps, and a batch of two."""

CHANGES = [
    (
        "logits, label = torch.zeros(vocab_size, requires_grad=True), torch.tensor(EOS)",
        "logits, label = torch.zeros(2, vocab_size, requires_grad=True), torch.tensor([EOS, BOS])",
    ),
    (
        "label_smoothing_loss(logits, label, smoothing)",
        "F.cross_entropy(logits, label, label_smoothing=smoothing)",
    ),
    (
        "logits.softmax(dim=-1)[EOS].item()",
        "logits.softmax(dim=-1)[0, EOS].item()",
    ),
]
