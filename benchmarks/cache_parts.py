"""What each part of cached decoding saves, one change at a time.

Four ways to write the same tokens with the same weights. Each differs from the one before it in one thing:

- "all anew": ``decode`` on all positions so far, and the logits of all of them, of which the last is read;
- "last logits": the output layer sees the last position only;
- "source's keys": keys and values of the memory are made once, before the first word;
- "own keys": keys and values of the words written are kept, and only the new position is computed (`CachedDecoder`).

    python -m benchmarks.cache_parts [--device cuda]
"""

from typing import Any

import torch
from torch import Tensor

from benchmarks.measuring import arguments, compare, write
from transformer_course.common.tokens import EOS
from transformer_course.decoding import CachedDecoder, keys_and_values
from transformer_course.multi_head_attention import fused_attention, merge_heads, split_heads
from transformer_course.rnn_encoder_decoder import greedy_decode
from transformer_course.transformer import Transformer
from transformer_course.transformer_blocks import DecoderBlock, residual

SOURCE_LENGTH, VOCAB_SIZE, BATCH = 10, 440, 8
LENGTHS = (1, 8, 32, 128)
SIZES = [(64, 4, 2), (256, 8, 3)]  # d_model, heads, layers


class AllAnew:
    """Every step computes all positions so far. There is no padding here, so there are no padding masks."""

    def __init__(self, model: Transformer):
        self.model = model

    def start_decoding(self, source: Tensor) -> dict[str, Any]:
        """Read the source."""
        return {"memory": self.model.encode(source), "source": source, "target": source[:, :0]}

    def decode_step(self, tokens: Tensor, state: dict[str, Any]) -> tuple[Tensor, dict[str, Any]]:
        """Read one more token, and say which comes next."""
        target = torch.cat([state["target"], tokens.unsqueeze(1)], dim=1)  # (batch, length + 1)
        return self.last_logits(target, state), {**state, "target": target}

    def last_logits(self, target: Tensor, state: dict[str, Any]) -> Tensor:
        """Return the logits after the last token, ``(batch, vocab_size)``."""
        return self.model.decode(target, state["memory"], state["source"])[:, -1]


class LastLogits(AllAnew):
    """The last norm and the output layer see one position."""

    def last_logits(self, target: Tensor, state: dict[str, Any]) -> Tensor:
        """Return the logits after the last token, ``(batch, vocab_size)``."""
        x = self.model.target_embedding(target)
        for block in self.model.decoder_blocks:
            x = block(x, state["memory"], None, None, is_causal=True)
        return self.model.output_layer(self.model.decoder_norm(x[:, -1:])).squeeze(1)


class SourceKeys(AllAnew):
    """Keys and values of the memory are made once, too."""

    def start_decoding(self, source: Tensor) -> dict[str, Any]:
        """Read the source, and project it once."""
        state = super().start_decoding(source)
        blocks = self.model.decoder_blocks
        return state | {"cross": [keys_and_values(block.cross_attention, state["memory"]) for block in blocks]}

    def last_logits(self, target: Tensor, state: dict[str, Any]) -> Tensor:
        """Return the logits after the last token, ``(batch, vocab_size)``."""
        x = self.model.target_embedding(target)
        for block, cross in zip(self.model.decoder_blocks, state["cross"], strict=True):
            x = _block_with_source_keys(block, x, cross)
        return self.model.output_layer(self.model.decoder_norm(x[:, -1:])).squeeze(1)


def _block_with_source_keys(block: DecoderBlock, x: Tensor, cross: tuple[Tensor, Tensor]) -> Tensor:
    def attend_to_self(x: Tensor) -> Tensor:
        return block.self_attention(x, x, x, None, need_weights=False, is_causal=True)[0]

    def attend_to_source(x: Tensor) -> Tensor:
        attention = block.cross_attention
        query = split_heads(attention.w_query(x), attention.num_heads)
        return attention.w_output(merge_heads(fused_attention(query, *cross)))

    x = residual(x, attend_to_self, block.norm_1, block.dropout, block.norm_first)
    x = residual(x, attend_to_source, block.norm_2, block.dropout, block.norm_first)
    return residual(x, block.feed_forward, block.norm_3, block.dropout, block.norm_first)


WAYS = {"own keys": CachedDecoder, "source's keys": SourceKeys, "last logits": LastLogits, "all anew": AllAnew}


@torch.inference_mode()
def measure(d_model: int, heads: int, layers: int, length: int, device: torch.device, rounds: int) -> dict[str, Any]:
    """Measure the four ways for one size and one number of tokens, without the encoder's time."""
    torch.manual_seed(0)
    model = Transformer(VOCAB_SIZE, VOCAB_SIZE, d_model, heads, layers, layers, 4 * d_model, norm_first=True).to(device)
    model.eval().output_layer.bias[EOS] = -1e9
    source = torch.randint(4, VOCAB_SIZE, (BATCH, SOURCE_LENGTH), device=device)
    written = {}

    def run(name: str) -> None:
        written[name] = greedy_decode(writers[name].decode_step, starts[name], BATCH, length)

    writers = {name: way(model) for name, way in WAYS.items()}
    # What is computed once, before the first word, is counted by no way: all of them start from their state.
    starts = {name: writer.start_decoding(source) for name, writer in writers.items()}
    result = compare({name: lambda name=name: run(name) for name in WAYS}, device, rounds)
    for name in WAYS:
        if not torch.equal(written[name], written["all anew"]):
            raise AssertionError(f"{name} wrote other tokens")
    return result | {"d_model": d_model, "layers": layers, "batch": BATCH, "tokens": length} | result["seconds"]


def main() -> None:
    """Measure all sizes and lengths."""
    options = arguments(__doc__.splitlines()[0]).parse_args()
    device = torch.device(options.device)
    rows: list[dict[str, Any]] = []
    for size in SIZES:
        for length in LENGTHS:
            rows.append(measure(*size, length, device, options.rounds))
            columns = ["d_model", "layers", "batch", "tokens", *reversed(WAYS)]
            write("cache_parts", device, options.rounds, rows, columns)


if __name__ == "__main__":
    main()
