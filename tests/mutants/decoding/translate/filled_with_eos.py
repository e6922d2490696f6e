"""Fills the short sentences of a beam up with EOS."""

SAYS = "EOS in the place of padding"
CHANGES = [("pad_sequences([tokens for tokens, _ in found])", "pad_sequences([tokens for tokens, _ in found], EOS)")]
