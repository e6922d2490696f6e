"""Reading a GGUF file: one file with the sizes, the weights, often in four bits, the tokens and the form of a chat.

Source: the format's description, docs/gguf.md in github.com/ggml-org/ggml. The package ``gguf`` reads it.

Such a file keeps the rows of Llama's queries and keys in neighbouring pairs, as ``rotate`` turns them, and those of
Qwen's in halves.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from transformer_course.published.byte_tokenizer import ModelText, byte_tokenizer
from transformer_course.published.files import needed
from transformer_course.published.llama_model import checked, filled
from transformer_course.published.modern_language_model import ModernLanguageModel, Sizes
from transformer_course.published.pretrained import pairs_from_halves

OF_BLOCK = {
    "attn_norm": "norm_1",
    "attn_q": "w_query",
    "attn_k": "w_key",
    "attn_v": "w_value",
    "attn_output": "w_output",
    "attn_q_norm": "norm_query",
    "attn_k_norm": "norm_key",
    "ffn_norm": "norm_2",
    "ffn_gate": "w_gate",
    "ffn_up": "w_up",
    "ffn_down": "w_down",
}
OF_MODEL = {"token_embd": "token", "output_norm": "norm", "output": "output"}
SIZES = {
    "embedding_length": "d_model",
    "attention.head_count": "num_heads",
    "block_count": "num_layers",
    "feed_forward_length": "d_ff",
    "attention.layer_norm_rms_epsilon": "eps",
    "context_length": "max_length",
}
IN_HALVES = ("qwen2", "qwen3")
CONTROL, USER_DEFINED = 3, 4  # kinds of tokens that text is not cut into

Watch = Callable[[Iterable], Iterable]


@dataclass(frozen=True)
class TextModel:
    """A model and its text.

    Args:
        model: ready to write.
        text: its tokens, and how it chats.
        name: of the model, as its file says.
    """

    model: ModernLanguageModel
    text: ModelText
    name: str


def read_gguf(file: Path | str, watch: Watch = iter) -> TextModel:
    """Read a language model.

    Args:
        file: its path.
        watch: hands on the tensors as they are read, such as a progress bar does.

    Returns:
        The model with its weights in float32, and its text.

    Raises:
        ValueError: if the file is not there, is none of this form, is damaged, or holds another kind of model; or if
            the package ``gguf`` is missing.
    """
    path = Path(file)
    if not path.is_file():
        raise ValueError(f"weights: expected the file {path}, got none")
    gguf = needed("gguf", path.name)
    with path.open("rb") as opened:
        if opened.read(4) != b"GGUF":
            raise ValueError(f"weights: {path} is no GGUF file: it begins with other letters")
    try:
        reader = gguf.GGUFReader(path)
        about = {name: field.contents() for name, field in reader.fields.items()}
    except Exception as error:  # of a damaged file the package raises all kinds
        raise ValueError(f"weights: {path} is damaged, its table cannot be read ({type(error).__name__})") from None
    sizes, kind = _sizes(about, [tensor.name for tensor in reader.tensors])
    state = {}
    for tensor in watch(reader.tensors):
        name = _course_name(tensor.name)
        try:
            numbers = torch.from_numpy(gguf.dequantize(tensor.data, tensor.tensor_type).copy()).float()
        except Exception as error:
            raise ValueError(f"weights: {tensor.name} cannot be read ({type(error).__name__}: {error})") from None
        if kind in IN_HALVES and ".w_query." in name:
            numbers = pairs_from_halves(numbers, sizes.num_heads)
        elif kind in IN_HALVES and ".w_key." in name:
            numbers = pairs_from_halves(numbers, sizes.num_groups)
        elif kind in IN_HALVES and (".norm_query." in name or ".norm_key." in name):
            numbers = pairs_from_halves(numbers, 1)
        state[name] = numbers
    return TextModel(filled(sizes, state), _text(about), str(about.get("general.name", path.stem)))


def _sizes(about: dict[str, Any], names: list[str]) -> tuple[Sizes, str]:
    kind = about.get("general.architecture")
    if kind not in ("llama", *IN_HALVES):
        raise ValueError(f"weights: expected a model of the kind llama, qwen2 or qwen3, got {kind!r}")
    if missing := [name for name in SIZES if f"{kind}.{name}" not in about]:
        raise ValueError(f"weights: expected {kind}.{missing[0]} in the file, got none")
    if about.get(f"{kind}.rope.scaling.type", "none") != "none" or "rope_freqs.weight" in names:
        raise ValueError("weights: expected positions that turn as in the first Llama, got scaled ones")
    if "tokenizer.ggml.tokens" not in about:
        raise ValueError("weights: expected a table of tokens in the file, got none")
    numbers = {ours: about[f"{kind}.{theirs}"] for theirs, ours in SIZES.items()}
    sizes = Sizes(
        **numbers,
        vocab_size=len(about["tokenizer.ggml.tokens"]),
        num_groups=about.get(f"{kind}.attention.head_count_kv", numbers["num_heads"]),
        base=float(about.get(f"{kind}.rope.freq_base", 10_000.0)),
        tied="output.weight" not in names,
        qk_norm="blk.0.attn_q_norm.weight" in names,
        biases="blk.0.attn_q.bias" in names,
    )
    return checked(sizes, about.get(f"{kind}.attention.key_length")), kind


def _course_name(name: str) -> str:
    """Rename ``blk.3.attn_q.weight`` to ``blocks.3.w_query.weight``; what has no other name keeps its own."""
    parts = name.split(".")
    if parts[0] == "blk" and len(parts) == 4:
        return f"blocks.{parts[1]}.{OF_BLOCK.get(parts[2], parts[2])}.{parts[3]}"
    return ".".join([OF_MODEL.get(parts[0], parts[0]), *parts[1:]])


def _text(about: dict[str, Any]) -> ModelText:
    kind = about.get("tokenizer.ggml.model")
    if kind != "gpt2":
        raise ValueError(f"tokenizer: expected pairs of bytes, as in GPT-2, got {kind!r}")
    tokens, types = about["tokenizer.ggml.tokens"], about.get("tokenizer.ggml.token_type", [])
    special = [i for i, each in enumerate(types) if each in (CONTROL, USER_DEFINED)]
    cut = about.get("tokenizer.ggml.pre", "gpt-2")
    tokenizer = byte_tokenizer(tokens, about.get("tokenizer.ggml.merges", []), special, cut)
    ends = {about[name] for name in ("tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id") if name in about}
    return ModelText(tokenizer, ends, about.get("tokenizer.chat_template"))
