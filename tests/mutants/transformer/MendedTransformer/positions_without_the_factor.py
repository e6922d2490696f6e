"""Adds positions and forgets the factor."""

from torch import nn

from transformer_course.masking import causal_mask, padding_mask
from transformer_course.positional_encoding import TransformerEmbedding
from transformer_course.transformer_blocks import DecoderBlock, EncoderBlock

SAYS = "the factor sqrt(d_model) is not"


class MendedTransformer(nn.Module):
    def __init__(self, vocab_size, d_model, num_heads, num_layers, d_ff):
        super().__init__()
        self.embedding = TransformerEmbedding(vocab_size, d_model)
        self.encoder = nn.ModuleList([EncoderBlock(d_model, num_heads, d_ff) for _ in range(num_layers)])
        self.decoder = nn.ModuleList([DecoderBlock(d_model, num_heads, d_ff) for _ in range(num_layers)])
        self.output = nn.Linear(d_model, vocab_size)

    def embed(self, tokens):
        words = self.embedding.token(tokens)
        return self.embedding(tokens) - words * words.shape[-1] ** 0.5 + words

    def forward(self, source, target):
        memory = self.embed(source)
        for block in self.encoder:
            memory = block(memory, padding_mask(source))
        x = self.embed(target)
        for block in self.decoder:
            x = block(x, memory, causal_mask(target.shape[1]), padding_mask(source))
        return self.output(x)
