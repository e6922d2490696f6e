"""What the tasks of exercise 16 share: a caption model of torch's own layers."""

import torch
from torch import nn

from course_checks.transformer.shared import Embedding, causal
from course_checks.transformer_blocks.decoder_block import Right as TorchDecoderBlock
from course_checks.transformer_blocks.encoder_block import Right as TorchEncoderBlock
from course_checks.vision_transformer.shared import embed_by_convolution, right_places

UNIT = "images_and_words"
READY_MADE = ("multi_head_attention_forward", "_transformer_encoder_layer_fwd")


class Captioner(nn.Module):
    """The parameters of the task, run by torch's own layers and a convolution."""

    def __init__(
        self, image_size, patch, channels, vocab_size, d_model=64, num_heads=4, num_layers=2, d_ff=128, max_length=32,
        dropout=0.0, pooled=False,
    ):  # fmt: skip
        super().__init__()
        self.size, self.pooled = patch, pooled
        self.patch = nn.Linear(channels * patch * patch, d_model)
        self.rows, self.columns = (nn.Parameter(torch.randn(image_size // patch, d_model)) for _ in range(2))
        self.embedding = Embedding(vocab_size, d_model, dropout)
        block = (d_model, num_heads, d_ff, dropout, "relu", True)
        self.encoder_blocks = nn.ModuleList(TorchEncoderBlock(*block) for _ in range(num_layers))
        self.decoder_blocks = nn.ModuleList(TorchDecoderBlock(*block) for _ in range(num_layers))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.output = nn.Linear(d_model, vocab_size)

    def encode(self, images):
        """Read."""
        x = embed_by_convolution(images, self.patch.weight, self.patch.bias, self.size)
        x = x + right_places(self.rows, self.columns)
        for block in self.encoder_blocks:
            x = block(x)
        memory = self.encoder_norm(x)
        return memory.mean(1, keepdim=True) if self.pooled else memory

    def decode(self, target, memory):
        """Write."""
        x = self.embedding(target)
        for block in self.decoder_blocks:
            x = block(x, memory, causal(target))
        return self.output(self.decoder_norm(x))

    def forward(self, images, target):
        """Read, then write."""
        return self.decode(target, self.encode(images))
