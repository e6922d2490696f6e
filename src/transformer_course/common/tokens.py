"""The four special tokens, the same in every unit."""

PAD, BOS, EOS, UNK = 0, 1, 2, 3
