"""Chapter 16: pictures and sentences in one model: captions, pointing, questions, matching.

Four tasks bring the two together, in this order. Captions: ``CaptionModel`` reads patches and writes words. Pointing:
``gold_regions`` and ``pointing_mass`` ask whether a word's attention lies on the object that it names. Questions: words
and patches meet in one sequence (``joint_sequence``, ``joint_mask``), or the words look into the picture by cross
attention (``CrossModalBlock``); ``experiments/questions`` builds models of these parts. Matching: a picture finds its
caption, and a caption its picture (``contrastive_loss``).

Source: Xu et al. (2015), "Show, Attend and Tell: Neural Image Caption Generation with Visual Attention"; Radford et al.
(2021), "Learning Transferable Visual Models From Natural Language Supervision".

Dimension names: ``batch``, ``length`` m words, ``num_patches`` n, ``num_objects`` in a picture, ``channels``,
``height``, ``width`` in pixels, ``patch`` the side of a patch, ``d_model`` the width of the model.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.common.tokens import PAD
from transformer_course.common.validation import (
    require_divisor,
    require_floating,
    require_integers,
    require_long,
    require_not_negative,
    require_positive,
    require_positive_number,
    require_same_dtype,
    require_shape,
    require_shapes,
)
from transformer_course.masking import padding_mask
from transformer_course.positional_encoding import TransformerEmbedding
from transformer_course.transformer_blocks import DecoderBlock, EncoderBlock, LayerNorm, make_dropout
from transformer_course.vision_transformer import image_to_patches, row_column_positions

STD_OF_POSITIONS = 0.5  # of rows and of columns at the start; other sizes were not compared


class CaptionModel(nn.Module):
    """Read a picture as patches, as in chapter 15, and write about it with a decoder, as in chapter 10.

    Patches are embedded as in chapter 15, but without a class token and with other starts of rows and columns. Both
    stacks are pre-norm blocks of chapter 09 with ReLU. Unlike a translator's decoder this one needs no padding masks:
    no patch is padding, and what pads a caption comes after its end, hidden from its words by the causal mask.

    Source: Xu et al. (2015), section 3.1, with a Transformer in place of convolutions and LSTM.

    Args:
        image_size: height and width of the square pictures in pixels.
        patch: side of a patch, a divisor of image_size.
        channels: 1 for grey, 3 for colour.
        vocab_size: number of different tokens.
        d_model: width of the model.
        num_heads: a divisor of d_model.
        num_layers: number of encoder blocks, and of decoder blocks.
        d_ff: width inside the feed-forward networks.
        max_length: longest caption, in tokens.
        dropout: probability of dropout in training.
        pooled: True makes the memory a single row, the mean over the patches.
    """

    def __init__(
        self,
        image_size: int,
        patch: int,
        channels: int,
        vocab_size: int,
        d_model: int = 64,
        num_heads: int = 4,
        num_layers: int = 2,
        d_ff: int = 128,
        max_length: int = 32,
        dropout: float = 0.0,
        pooled: bool = False,
    ):
        super().__init__()
        require_positive("image_size", image_size)
        require_divisor("patch", patch, "image_size", image_size)
        require_positive("channels", channels)
        require_positive("num_layers", num_layers)
        require_positive("d_model", d_model)
        self.image_size, self.patch_size, self.channels, self.d_model = image_size, patch, channels, d_model
        self.pooled = pooled
        side = image_size // patch
        self.patch = nn.Linear(channels * patch * patch, d_model)
        self.rows = nn.Parameter(STD_OF_POSITIONS * torch.randn(side, d_model))
        self.columns = nn.Parameter(STD_OF_POSITIONS * torch.randn(side, d_model))
        self.embedding = TransformerEmbedding(vocab_size, d_model, max_length, dropout)
        self.dropout = make_dropout(dropout)
        sizes = {"d_model": d_model, "num_heads": num_heads, "d_ff": d_ff, "dropout": dropout, "norm_first": True}
        self.encoder_blocks = nn.ModuleList(EncoderBlock(**sizes) for _ in range(num_layers))
        self.decoder_blocks = nn.ModuleList(DecoderBlock(**sizes) for _ in range(num_layers))
        self.encoder_norm, self.decoder_norm = LayerNorm(d_model), LayerNorm(d_model)
        self.output = nn.Linear(d_model, vocab_size)

    def encode(self, images: Tensor) -> Tensor:
        """Read: pictures ``(batch, channels, image_size, image_size)`` to ``(batch, num_patches, d_model)``.

        If pooled, the memory is ``(batch, 1, d_model)``.
        """
        require_shape("images", images, ("batch", self.channels, self.image_size, self.image_size))
        require_floating("images", images)
        x = self.patch(image_to_patches(images, self.patch_size))  # (batch, num_patches, d_model)
        x = self.dropout(x + row_column_positions(self.rows, self.columns))
        for block in self.encoder_blocks:
            x = block(x)
        memory = self.encoder_norm(x)
        return memory.mean(dim=1, keepdim=True) if self.pooled else memory

    def decode(self, target: Tensor, memory: Tensor) -> Tensor:
        """Say at each position of the caption which token would come next.

        Args:
            target: token ids ``(batch, length)``, BOS first.
            memory: ``(batch, num_patches, d_model)``, or ``(batch, 1, d_model)`` if pooled, from ``encode``.

        Returns:
            The logits ``(batch, length, vocab_size)``.
        """
        x = self.embedding(target)  # (batch, length, d_model)
        for block in self.decoder_blocks:
            x = block(x, memory, is_causal=True)
        return self.output(self.decoder_norm(x))  # (batch, length, vocab_size)

    def forward(self, images: Tensor, target: Tensor) -> Tensor:
        """Read the pictures and say at each position of their captions ``(batch, length)`` what would come next."""
        return self.decode(target, self.encode(images))


def gold_regions(owner: Tensor, patch: int, num_objects: int) -> Tensor:
    """Say which patches hold a pixel of which object: where somebody who speaks of the object should look.

    Source: Liu et al. (2017), "Attention Correctness in Neural Image Captioning", section 3, where the regions are
    boxes that people drew.

    Args:
        owner: ``(batch, height, width)``, int64: for each pixel the number of the object that painted it, -1 for none.
        patch: side of a patch in pixels, a divisor of height and width.
        num_objects: how many objects to look for, numbered from 0.

    Returns:
        ``(batch, num_objects, num_patches)``, bool; patches row by row, as ``image_to_patches`` cuts them. An object
        without a pixel has no patch.

    >>> gold_regions(torch.tensor([[[0, -1, -1, 1], [0, -1, -1, -1]]]), patch=2, num_objects=2)
    tensor([[[ True, False],
             [False,  True]]])
    """
    require_shape("owner", owner, ("batch", "height", "width"))
    require_long("owner", owner)
    require_not_negative("num_objects", num_objects)
    pixels = image_to_patches(owner.unsqueeze(1), patch)  # (batch, num_patches, patch * patch)
    numbers = torch.arange(num_objects, device=owner.device)
    return (pixels.unsqueeze(1) == numbers[:, None, None]).any(dim=-1)  # (batch, num_objects, num_patches)


def pointing_mass(weights: Tensor, regions: Tensor) -> Tensor:
    """Add up the attention that each word pays to its region, in each head.

    Source: Liu et al. (2017), section 3.3, "attention correctness".

    Args:
        weights: ``(batch, heads, length, num_patches)``, floating, of a cross-attention (``interpret/recording.py``
            takes them out of a model); each row sums to 1.
        regions: ``(batch, length, num_patches)``, bool: for each word the row of ``gold_regions`` of the object that it
            names, all False where it names none.

    Returns:
        ``(batch, heads, length)``, from 0 to 1; 0 for a word whose region is empty.

    >>> pointing_mass(torch.tensor([[[[0.7, 0.2, 0.1]]]]), torch.tensor([[[True, False, True]]]))
    tensor([[[0.8000]]])
    """
    require_shape("weights", weights, ("batch", "heads", "length", "num_patches"))
    require_floating("weights", weights)
    require_shape("regions", regions, (weights.shape[0], *weights.shape[2:]))
    if regions.dtype != torch.bool:
        raise ValueError(f"regions: expected dtype torch.bool (True = belongs to the region), got {regions.dtype}")
    return (weights * regions.unsqueeze(1)).sum(dim=-1)  # (batch, heads, length)


def joint_sequence(text: Tensor, image: Tensor, types: Tensor) -> Tensor:
    """Put words and patches into one sequence, and tell each position which of the two it is.

    Source: Kim et al. (2021), "ViLT: Vision-and-Language Transformer Without Convolution or Region Supervision",
    section 3.1.

    Args:
        text: ``(batch, m, d_model)``, words.
        image: ``(batch, n, d_model)``, patches.
        types: ``(2, d_model)``; the first is added to every word, the second to every patch.

    Returns:
        ``(batch, m + n, d_model)``, words first.

    >>> joint_sequence(torch.zeros(1, 2, 1), torch.zeros(1, 3, 1), torch.tensor([[1.0], [2.0]])).flatten()
    tensor([1., 1., 2., 2., 2.])
    """
    require_shapes(text=(text, "batch m d_model"), image=(image, "batch n d_model"))
    require_shape("types", types, (2, text.shape[2]))
    return torch.cat([text + types[0], image + types[1]], dim=1)  # (batch, m + n, d_model)


def joint_mask(tokens: Tensor, num_patches: int, pad_id: int = PAD) -> Tensor:
    """Let every word and patch of a joint sequence attend to the real words and to all patches.

    Source: Kim et al. (2021), section 3.1; pictures of one size have no padding.

    Args:
        tokens: ``(batch, m)``, integers.
        num_patches: how many patches stand after the words.
        pad_id: the token that fills the short sentences.

    Returns:
        The mask ``(batch, 1, 1, m + num_patches)``, bool; True = may be attended to.

    >>> joint_mask(torch.tensor([[7, PAD]]), num_patches=2)
    tensor([[[[ True, False,  True,  True]]]])
    """
    require_shape("tokens", tokens, ("batch", "m"))
    require_integers("tokens", tokens)
    require_not_negative("num_patches", num_patches)
    return F.pad(padding_mask(tokens, pad_id), (0, num_patches), value=True)  # (batch, 1, 1, m + num_patches)


class CrossModalBlock(DecoderBlock):
    """Let words attend to words, then to patches: a pre-norm decoder block whose words may look ahead.

    Source: Tan & Bansal (2019), "LXMERT: Learning Cross-Modality Encoder Representations from Transformers", section
    2.2, one of its two sides, with the words' own attention first.

    Args:
        d_model: width of the model.
        num_heads: a divisor of d_model.
        d_ff: width inside the feed-forward network.
        dropout: probability of dropout in training, of what each sublayer adds.
    """

    def __init__(self, d_model: int, num_heads: int, d_ff: int, dropout: float = 0.0):
        super().__init__(d_model, num_heads, d_ff, dropout, norm_first=True)

    def forward(self, text: Tensor, image: Tensor, text_mask: Tensor | None = None) -> Tensor:
        """Pass a batch of sentences through the three sublayers: the patches stand where the source does in chapter 09.

        Args:
            text: ``(batch, m, d_model)``, words.
            image: ``(batch, n, d_model)``, patches.
            text_mask: bool, broadcastable to ``(batch, heads, m, m)``; which words a word may attend to.

        Returns:
            The words ``(batch, m, d_model)``, with what they found in the picture.
        """
        require_shapes(text=(text, "batch m d_model"), image=(image, "batch n d_model"))
        return super().forward(text, image, self_mask=text_mask)


def contrastive_loss(image_vectors: Tensor, text_vectors: Tensor, temperature: float) -> Tensor:
    """Classify both ways: which of the batch's captions belongs to each picture, and which picture to each caption.

    Source: Radford et al. (2021), figure 3.

    Args:
        image_vectors: ``(batch, d)``, floating; they need not be unit vectors, and are normalised here.
        text_vectors: ``(batch, d)``; row i belongs to picture i.
        temperature: what the cosines are divided by, more than 0; a float or a tensor of one number.

    Returns:
        The mean of the two cross-entropies in nats, a scalar.

    Raises:
        ValueError: if the batch is empty.

    >>> contrastive_loss(torch.eye(2), torch.eye(2), temperature=1.0)
    tensor(0.3133)
    """
    require_shapes(image_vectors=(image_vectors, "batch d"), text_vectors=(text_vectors, "batch d"))
    require_floating("image_vectors", image_vectors)
    require_floating("text_vectors", text_vectors)
    require_same_dtype("text_vectors", text_vectors, "image_vectors", image_vectors)
    require_positive_number("temperature", temperature)
    require_positive("batch", image_vectors.shape[0])
    cosines = F.normalize(image_vectors, dim=-1) @ F.normalize(text_vectors, dim=-1).T  # (batch, batch)
    logits = cosines / temperature
    own = torch.arange(len(logits), device=logits.device)
    return (F.cross_entropy(logits, own) + F.cross_entropy(logits.T, own)) / 2
