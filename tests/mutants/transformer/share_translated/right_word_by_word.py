"""Writes one sentence after the other."""

CHANGES = [
    (
        """        memory, written = model.encode(source), target[:, :1]
        for _ in range(labels.shape[1]):
            logits = model.decode(written, memory, source)[:, -1]  # (batch, target_vocab_size)
            written = torch.cat([written, logits.argmax(dim=-1, keepdim=True)], dim=1)
    right = (written[:, 1:] == labels) | (labels == PAD)
    return right.all(dim=1).double().mean().item()
""",
        """        count = 0
        for one, wanted in zip(source, labels.tolist()):
            words = [BOS]
            while words[-1] != EOS and len(words) <= len(wanted):
                memory = model.encode(one[None])
                words.append(model.decode(torch.tensor([words]), memory, one[None])[0, -1].argmax().item())
            count += words[1:] == [word for word in wanted if word != PAD]
    return count / len(source)
""",
    ),
]
