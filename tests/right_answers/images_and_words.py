"""Right answers to exercise 16 in unusual forms: loops, other layers with the same parameters, other formulas.

A function or class belongs to the task that its name begins with, up to two underscores in a row.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.common.validation import require_divisor, require_positive, require_shape, require_shapes
from transformer_course.masking import causal_mask
from transformer_course.multi_head_attention import MultiHeadAttention
from transformer_course.positional_encoding import TransformerEmbedding
from transformer_course.transformer_blocks import DecoderBlock, EncoderBlock, FeedForward, LayerNorm


def gold_regions__loops(owner, patch, num_objects):
    """Walk over the pixels."""
    require_shape("owner", owner, ("batch", "height", "width"))
    if owner.dtype != torch.int64:
        raise ValueError(f"owner: expected int64, got {owner.dtype}")
    batch, height, width = owner.shape
    if height % patch or width % patch:
        raise ValueError("patch: expected a divisor of height and width")
    across = width // patch
    found = torch.zeros(batch, num_objects, (height // patch) * across, dtype=torch.bool)
    for picture, y, x in (owner >= 0).nonzero().tolist():
        if owner[picture, y, x] < num_objects:
            found[picture, owner[picture, y, x], (y // patch) * across + x // patch] = True
    return found


def gold_regions__largest_in_patch(owner, patch, num_objects):
    """Paint one picture for each object, and take the largest pixel of each patch."""
    require_shape("owner", owner, ("batch", "height", "width"))
    if owner.is_floating_point():
        raise ValueError("owner: expected whole numbers")
    require_divisor("patch", patch, "height", owner.shape[1])
    if num_objects == 0:
        return torch.zeros(len(owner), 0, owner[0].numel() // patch**2, dtype=torch.bool)
    own = torch.stack([(owner == number).float() for number in range(num_objects)], dim=1)
    return F.max_pool2d(own, patch).flatten(2) > 0.5


def pointing_mass__loops(weights, regions):
    """Add word by word."""
    require_shape("weights", weights, ("batch", "heads", "length", "n"))
    batch, heads, length, _ = weights.shape
    if regions.dtype != torch.bool or regions.shape != (batch, length, weights.shape[3]):
        raise ValueError("regions: expected bool, (batch, length, num_patches)")
    rows = [
        torch.stack([weights[b, :, m][:, regions[b, m]].sum(dim=1) for m in range(length)], dim=1)
        if length
        else weights.new_zeros(heads, 0)
        for b in range(batch)
    ]
    return torch.stack(rows)


def pointing_mass__product(weights, regions):
    """Multiply each row with a column of zeros and ones."""
    require_shape("weights", weights, ("batch", "heads", "length", "n"))
    if regions.dtype is not torch.bool or weights.shape[-1] != regions.shape[-1]:
        raise ValueError("regions: expected bool and as many patches as in weights")
    return (weights.unsqueeze(-2) @ regions[:, None, :, :, None].to(weights)).squeeze(-1).squeeze(-1)


class _Captioner(nn.Module):
    def __init__(self, image_size, patch, channels, vocab_size, d_model=64, num_heads=4, num_layers=2, d_ff=128,
                 max_length=32, dropout=0.0, pooled=False):  # fmt: skip
        super().__init__()
        require_positive("image_size", image_size)
        if image_size % patch:
            raise ValueError(f"patch: expected a divisor of {image_size}, got {patch}")
        self.edge, self.shape, self.mean = patch, (channels, image_size, image_size), pooled
        self.output = nn.Linear(d_model, vocab_size)
        self.decoder_norm, self.encoder_norm = LayerNorm(d_model), nn.LayerNorm(d_model)
        self.decoder_blocks, self.encoder_blocks = nn.ModuleList(), nn.ModuleList()
        for _ in range(num_layers):
            self.decoder_blocks.append(DecoderBlock(d_model, num_heads, d_ff, dropout, norm_first=True))
            self.encoder_blocks.append(EncoderBlock(d_model, num_heads, d_ff, dropout, norm_first=True))
        self.embedding = TransformerEmbedding(vocab_size, d_model, max_length, dropout)
        side = image_size // patch
        self.columns = nn.Parameter(torch.rand(side, d_model))
        self.rows = nn.Parameter(torch.rand(side, d_model))
        self.patch = nn.Linear(channels * patch**2, d_model)

    def forward(self, images, target):
        """Read and write."""
        return self.decode(target, self.encode(images))


class CaptionModel__unfolded(_Captioner):
    """Cut with unfold, add the positions on the grid, hand a mask to the decoder."""

    def encode(self, images):
        """Read."""
        require_shape("images", images, ("batch", *self.shape))
        pieces = F.unfold(images, self.edge, stride=self.edge).mT
        x = self.patch(pieces).unflatten(1, (len(self.rows), -1))
        x = (x + self.rows.unsqueeze(1) + self.columns).flatten(1, 2)
        for block in self.encoder_blocks:
            x = block(x, torch.ones(x.shape[1], x.shape[1], dtype=torch.bool))
        x = self.encoder_norm(x)
        return x.sum(1, keepdim=True) / x.shape[1] if self.mean else x

    def decode(self, target, memory):
        """Write."""
        x = self.embedding(target)
        for block in self.decoder_blocks:
            x = block(x, memory, causal_mask(target.shape[1]))
        return self.output(self.decoder_norm(x))


class CaptionModel__patch_by_patch(_Captioner):
    """Cut out one patch after the other; hide padding of the caption as well."""

    def encode(self, images):
        """Read."""
        require_shape("images", images, ("batch", *self.shape))
        x = []
        for i, row in enumerate(self.rows):
            for j, column in enumerate(self.columns):
                piece = images[:, :, i * self.edge : (i + 1) * self.edge, j * self.edge : (j + 1) * self.edge]
                x.append(self.patch(piece.flatten(1)) + row + column)
        x = torch.stack(x, 1)
        for block in self.encoder_blocks:
            x = block(x)
        x = self.encoder_norm(x)
        return torch.einsum("bnd->bd", x)[:, None] / len(x[0]) if self.mean else x

    def decode(self, target, memory):
        """Write."""
        x, real = self.embedding(target), (target != 0)[:, None, None]
        for block in self.decoder_blocks:
            x = block(x, memory, causal_mask(target.shape[1]) & real)
        return F.linear(self.decoder_norm(x), self.output.weight, self.output.bias)


def joint_sequence__written_in_place(text, image, types):
    """Fill an empty sequence."""
    require_shapes(text=(text, "b m d"), image=(image, "b n d"))
    require_shape("types", types, (2, text.shape[2]))
    joint = text.new_zeros(len(text), text.shape[1] + image.shape[1], text.shape[2])
    joint[:, : text.shape[1]] = text
    joint[:, text.shape[1] :] = image
    return joint + types.repeat_interleave(torch.tensor([text.shape[1], image.shape[1]]), dim=0)


def joint_sequence__looked_up(text, image, types):
    """Look the types up by the number of each place."""
    require_shapes(text=(text, "b m d"), image=(image, "b n d"))
    if len(types) != 2:
        raise ValueError("types: expected two")
    number = (torch.arange(text.shape[1] + image.shape[1]) >= text.shape[1]).long()
    return torch.cat((text, image), 1) + F.embedding(number, types)


def joint_mask__loops(tokens, num_patches, pad_id=0):
    """Ask each token."""
    require_shape("tokens", tokens, ("batch", "m"))
    if tokens.is_floating_point():
        raise ValueError("tokens: expected integers")
    rows = [[each != pad_id for each in row] + [True for _ in range(num_patches)] for row in tokens.tolist()]
    return torch.tensor(rows, dtype=torch.bool).view(len(tokens), 1, 1, -1)


def joint_mask__padded_tokens(tokens, num_patches, pad_id=0):
    """Put a token behind the words that is no padding for each patch."""
    require_shape("tokens", tokens, ("batch", "m"))
    if tokens.is_floating_point():
        raise ValueError("tokens: expected integers")
    return F.pad(tokens, (0, num_patches), value=pad_id + 1).ne(pad_id)[:, None, None]


class CrossModalBlock__decoder_block(DecoderBlock):
    """Be a decoder block, which has the same layers, without its causal mask."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__(d_model, num_heads, d_ff, dropout, norm_first=True)

    def forward(self, text, image, text_mask=None):
        """Hand everything on."""
        require_shapes(text=(text, "b m d"), image=(image, "b n d"))
        return super().forward(text, image, text_mask)


class CrossModalBlock__sum_of_parts(nn.Module):
    """Keep what each sublayer says, and add all of it at the end."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__()
        self.norm_3, self.norm_2, self.norm_1 = (nn.LayerNorm(d_model) for _ in range(3))
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.p = dropout

    def forward(self, text, image, text_mask=None):
        """Add up."""
        require_shapes(text=(text, "b m d"), image=(image, "b n d"))
        y = self.norm_1(text)
        said = [F.dropout(self.self_attention(y, y, y, text_mask, need_weights=False)[0], self.p, self.training)]
        y = self.norm_2(text + said[0])
        said.append(F.dropout(self.cross_attention(y, image, image)[0], self.p, self.training))
        y = self.norm_3(text + said[0] + said[1])
        said.append(F.dropout(self.feed_forward(y), self.p, self.training))
        return text + torch.stack(said).sum(0)


def contrastive_loss__log_softmax(image_vectors, text_vectors, temperature):
    """Take both log softmaxes of one table."""
    require_shapes(image_vectors=(image_vectors, "b d"), text_vectors=(text_vectors, "b d"))
    if not temperature > 0:
        raise ValueError(f"temperature: expected a positive number, got {temperature}")
    table = F.cosine_similarity(image_vectors[:, None], text_vectors[None], dim=-1) / temperature
    return -(table.log_softmax(0) + table.log_softmax(1)).trace() / (2 * len(table))


def contrastive_loss__loops(image_vectors, text_vectors, temperature):
    """Go through the pairs."""
    require_shapes(image_vectors=(image_vectors, "b d"), text_vectors=(text_vectors, "b d"))
    if not temperature > 0:
        raise ValueError("temperature: expected a positive number")
    total = 0.0
    for a, b in ((image_vectors, text_vectors), (text_vectors, image_vectors)):
        for i, asking in enumerate(a):
            scores = torch.stack([asking @ each / (asking.norm() * each.norm()) for each in b]) / temperature
            total = total + torch.logsumexp(scores, 0) - scores[i]
    return total / (2 * len(image_vectors))


def fixed_cross_attention__convolution(features, words, w_query, w_key, w_value):
    """Make keys and values on the grid, with convolutions of width 1."""
    key, value = (F.conv2d(features, w.T[:, :, None, None]).flatten(2) for w in (w_key, w_value))
    weights = (words @ w_query @ key / math.sqrt(len(w_key))).softmax(-1)
    return weights @ value.mT, weights


def fixed_cross_attention__einsum(features, words, w_query, w_key, w_value):
    """Name all dimensions."""
    scores = torch.einsum("bmd,de,fe,bfij->bmij", words, w_query, w_key, features) / features.shape[1] ** 0.5
    weights = scores.flatten(2).softmax(-1)
    seen = torch.einsum("bmij,bfij,fe->bme", weights.view_as(scores), features, w_value)
    return seen, weights
