"""BERT and MiniLM in the course's blocks, and what a sentence means as one vector.

Sources: Devlin et al. (2019), "BERT", section 3; Reimers and Gurevych (2019), "Sentence-BERT", section 3, for the
vector; Wang et al. (2020), "MiniLM"; the names are those of Wolf et al. (2020), "Transformers".

Dimension names: ``batch`` sentences; ``length`` tokens; ``d_model`` the width.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.common.validation import require_divisor
from transformer_course.masked_language_model import MaskedLanguageModel, mean_pool
from transformer_course.published.names import ACTIVATION_NAMES, Shapes, require_state
from transformer_course.transformer_blocks import EncoderBlock, LayerNorm

OF_BLOCK = {
    "attention.self.query": "self_attention.w_query",
    "attention.self.key": "self_attention.w_key",
    "attention.self.value": "self_attention.w_value",
    "attention.output.dense": "self_attention.w_output",
    "attention.output.LayerNorm": "norm_1",
    "intermediate.dense": "feed_forward.linear_1",
    "output.dense": "feed_forward.linear_2",
    "output.LayerNorm": "norm_2",
}
NEEDED = (
    "vocab_size",
    "hidden_size",
    "num_attention_heads",
    "num_hidden_layers",
    "intermediate_size",
    "max_position_embeddings",
    "layer_norm_eps",
    "hidden_act",
)


class FirstNorm(LayerNorm):
    """The norm that BERT has before its first block; it stands in the list of blocks, and takes their mask."""

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Normalise each position: ``(..., d_model)`` to the same shape."""
        return super().forward(x)


def bert_parts(state: Mapping[str, Tensor], config: Mapping[str, Any]) -> dict[str, Any]:
    """Sort the tensors of a BERT into parts of a ``MaskedLanguageModel``.

    Three things differ from the model of chapter 14. The blocks are those of 2017, with the norm behind each sublayer;
    one more norm stands before the first of them, and none behind the last. And every word gets the vector of its
    sentence's number, which is the first one here: it is added to the positions, once.

    Args:
        state: tensors by their published names, with or without ``bert.`` in front.
        config: what stands in config.json.

    Returns:
        ``"token"`` and ``"position"``, the two tables, and ``"blocks"``, the list.

    Raises:
        ValueError: if the configuration is of another kind of model, a name is missing or left over, or a shape is
            another than it must be.
    """
    _require_bert(config)
    state = {name.removeprefix("bert."): tensor.float() for name, tensor in state.items() if _is_read(name)}
    d_model, eps = config["hidden_size"], config["layer_norm_eps"]
    sizes = (d_model, config["num_attention_heads"], config["intermediate_size"])
    blocks = [FirstNorm(d_model, eps)]
    shapes: Shapes = {
        "embeddings.word_embeddings.weight": (config["vocab_size"], d_model),
        "embeddings.position_embeddings.weight": (config["max_position_embeddings"], d_model),
        "embeddings.token_type_embeddings.weight": (config.get("type_vocab_size", 2), d_model),
    }
    names = [{f"embeddings.LayerNorm.{kind}": kind for kind in ("weight", "bias")}]  # of each block, theirs and ours
    for i in range(config["num_hidden_layers"]):
        block = EncoderBlock(*sizes, activation=ACTIVATION_NAMES[config["hidden_act"]])
        block.norm_1.eps = block.norm_2.eps = eps
        blocks.append(block)
        kinds = [(theirs, ours, kind) for theirs, ours in OF_BLOCK.items() for kind in ("weight", "bias")]
        names.append({f"encoder.layer.{i}.{theirs}.{kind}": f"{ours}.{kind}" for theirs, ours, kind in kinds})
    for block, of_block in zip(blocks, names, strict=True):
        shapes |= {theirs: tuple(block.get_parameter(ours).shape) for theirs, ours in of_block.items()}
    require_state(state, shapes)
    for block, of_block in zip(blocks, names, strict=True):
        block.load_state_dict({ours: state[theirs] for theirs, ours in of_block.items()})
    return {
        "token": state["embeddings.word_embeddings.weight"],
        "position": state["embeddings.position_embeddings.weight"]
        + state["embeddings.token_type_embeddings.weight"][0],
        "blocks": nn.ModuleList(blocks),
    }


def load_bert(state: Mapping[str, Tensor], config: Mapping[str, Any]) -> MaskedLanguageModel:
    """Make the model of chapter 14 a BERT, whose ``encode`` gives the vectors of the last block.

    Its logits mean nothing: what BERT has behind the blocks to guess words is not read.

    Args:
        state: tensors by their published names, with or without ``bert.`` in front.
        config: what stands in config.json.

    Returns:
        A model with the same vectors, in float32, in eval mode.

    Raises:
        ValueError: as ``bert_parts``.
    """
    parts = bert_parts(state, config)
    return fill_encoder(_empty(config), parts)


def fill_encoder(model: nn.Module, parts: Mapping[str, Any]) -> nn.Module:
    """Put the parts of a BERT into a ``MaskedLanguageModel``, the library's or a learner's.

    Args:
        model: with ``token``, ``position``, ``blocks`` and ``norm``, as in exercise 14; the tables have BERT's sizes.
        parts: from ``bert_parts``.

    Returns:
        The model, in eval mode.
    """
    with torch.no_grad():
        model.token.weight.copy_(parts["token"])
        model.position.weight.copy_(parts["position"])
    model.blocks, model.norm = parts["blocks"], nn.Identity()
    return model.requires_grad_(False).eval()


class SentenceReader:
    """Give each sentence a vector of length 1, so that the product of two is the cosine of the angle between them.

    Args:
        model: with ``encode``.
        tokenizer: of the package ``tokenizers``.
        longest: tokens after which a sentence is cut.
        pool: takes the mean of the real words, ``mean_pool`` of chapter 14.
    """

    def __init__(self, model: nn.Module, tokenizer: Tokenizer, longest: int, pool: Any = mean_pool):
        self.model, self.pool, self.tokenizer = model, pool, tokenizer
        self.pad_id = model.pad_id
        tokenizer.no_padding()
        tokenizer.enable_truncation(longest)

    @torch.no_grad()
    def vectors(self, sentences: Sequence[str]) -> Tensor:
        """Read sentences: ``(batch, d_model)``."""
        rows = [torch.tensor(each.ids) for each in self.tokenizer.encode_batch(list(sentences))]
        tokens = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=self.pad_id)  # (batch, length)
        return F.normalize(self.pool(self.model.encode(tokens), tokens != self.pad_id), dim=-1)


def _is_read(name: str) -> bool:
    """Leave out what stands behind the blocks, and the numbers of the positions, which some files hold."""
    return not name.removeprefix("bert.").startswith(("pooler.", "cls.", "embeddings.position_ids"))


def _require_bert(config: Mapping[str, Any]) -> None:
    if config.get("model_type") != "bert":
        raise ValueError(f"config: expected model_type bert, got {config.get('model_type')!r}")
    if missing := [name for name in NEEDED if config.get(name) is None]:
        raise ValueError(f"config: expected {missing[0]}, got a configuration without")
    if config.get("position_embedding_type", "absolute") != "absolute":
        raise ValueError(f"config: expected absolute positions, got {config['position_embedding_type']!r}")
    if config["hidden_act"] not in ACTIVATION_NAMES:
        raise ValueError(
            f"config: expected hidden_act from {', '.join(ACTIVATION_NAMES)}, got {config['hidden_act']!r}"
        )
    require_divisor("num_attention_heads", config["num_attention_heads"], "hidden_size", config["hidden_size"])


def _empty(config: Mapping[str, Any]) -> MaskedLanguageModel:
    return MaskedLanguageModel(
        config["vocab_size"],
        config["hidden_size"],
        config["num_attention_heads"],
        num_layers=0,
        d_ff=config["intermediate_size"],
        max_length=config["max_position_embeddings"],
        pad_id=config.get("pad_token_id") or 0,
    )
