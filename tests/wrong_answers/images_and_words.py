"""Wrong answers, written otherwise than those that the checks hold: exercise 16."""

import torch
from torch import nn

from transformer_course.common.validation import require_divisor, require_shape, require_shapes
from transformer_course.masking import padding_mask
from transformer_course.multi_head_attention import MultiHeadAttention
from transformer_course.transformer_blocks import FeedForward, LayerNorm
from transformer_course.vision_transformer import image_to_patches


def contrastive_loss__captions_alone(image_vectors, text_vectors, temperature):
    """only the captions ask"""
    a = image_vectors / image_vectors.norm(dim=1, keepdim=True)
    b = text_vectors / text_vectors.norm(dim=1, keepdim=True)
    logits = torch.einsum("cd,pd->cp", b, a) / temperature
    return (torch.logsumexp(logits, 1) - logits.diagonal()).mean()


def joint_sequence__pictures_first_type(text, image, types):
    """words get the type of patches"""
    first, second = types.unbind(0)
    return torch.cat((text + second, image + first), 1)


def pointing_mass__mean(weights, regions):
    """the mean over the patches of the region"""
    inside = weights * regions.unsqueeze(1).to(weights)
    return inside.sum(-1) / regions.sum(-1).clamp(min=1).unsqueeze(1)


def gold_regions__used_as_index(owner, patch, num_objects):
    """the numbers in `owner` are used as an index"""
    require_shape("owner", owner, ("batch", "height", "width"))
    if owner.is_floating_point():
        raise ValueError("owner: expected integers")
    require_divisor("patch", patch, "height", owner.shape[1])
    pixels = image_to_patches(owner[:, None], patch)
    found = torch.zeros(len(owner), pixels.shape[1], num_objects + 1, dtype=torch.bool)
    for picture, row in enumerate(pixels):
        for place, numbers in enumerate(row):
            found[picture, place, numbers] = True
    return found[..., :num_objects].mT


def joint_mask__patches_are_numbered(tokens, num_patches, pad_id=0):
    """the patches are made tokens of one number"""
    return padding_mask(torch.cat([tokens, torch.ones_like(tokens[:, :1]).repeat(1, num_patches)], 1), pad_id)


class CrossModalBlock__side_by_side(nn.Module):
    """reads an x from before the words' own attention"""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__()
        self.self_attention, self.cross_attention = (MultiHeadAttention(d_model, num_heads) for _ in range(2))
        self.norm_1, self.norm_2, self.norm_3 = (LayerNorm(d_model) for _ in range(3))
        self.feed_forward, self.dropout = FeedForward(d_model, d_ff, dropout), nn.Dropout(dropout)

    def forward(self, text, image, text_mask=None):
        """Add what both attentions say of the same words."""
        require_shapes(text=(text, "b m d"), image=(image, "b n d"))
        own, seen = self.norm_1(text), self.norm_2(text)
        own, seen = self.self_attention(own, own, own, text_mask)[0], self.cross_attention(seen, image, image)[0]
        x = text + self.dropout(own) + self.dropout(seen)
        return x + self.dropout(self.feed_forward(self.norm_3(x)))


def contrastive_loss__temperature_as_a_number(image_vectors, text_vectors, temperature):
    """the temperature is cut off from the graph"""
    a, b = (nn.functional.normalize(each, dim=1) for each in (image_vectors, text_vectors))
    warmth = temperature.item() if isinstance(temperature, torch.Tensor) else temperature
    table = a @ b.T / warmth
    return -(table.log_softmax(0) + table.log_softmax(1)).trace() / (2 * len(table))
