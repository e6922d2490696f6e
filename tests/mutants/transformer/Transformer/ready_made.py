"""Takes torch's own model."""

from torch import nn

from transformer_course.common.tokens import PAD
from transformer_course.positional_encoding import TransformerEmbedding

SAYS = "among the parameters there is"


class Transformer(nn.Module):
    def __init__(
        self,
        source_vocab_size,
        target_vocab_size,
        d_model=512,
        num_heads=8,
        num_encoder_layers=6,
        num_decoder_layers=6,
        d_ff=2048,
        dropout=0.1,
        norm_first=False,
        max_length=512,
        tie_weights=False,
        pad_id=PAD,
    ):
        super().__init__()
        self.source_embedding = TransformerEmbedding(source_vocab_size, d_model, max_length, dropout, pad_id)
        self.target_embedding = TransformerEmbedding(target_vocab_size, d_model, max_length, dropout, pad_id)
        self.inner = nn.Transformer(
            d_model, num_heads, num_encoder_layers, num_decoder_layers, d_ff, dropout, batch_first=True
        )
        self.output_layer = nn.Linear(d_model, target_vocab_size)

    def forward(self, source, target):
        hidden = self.inner(self.source_embedding(source), self.target_embedding(target))
        return self.output_layer(hidden)
