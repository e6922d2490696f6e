"""Greedy decoding of 128 tokens, with cached keys and values and without.

Both ways call the same modules: with a cache for one position a step, without it for all positions so far. The models
are untrained and cannot end a sentence, so that every sentence has 128 tokens; both ways must write the same ones.

    python -m benchmarks.decoding [--device cuda]
"""

from typing import Any

import torch

from benchmarks.measuring import arguments, compare, write
from transformer_course.common.tokens import EOS
from transformer_course.decoding import translate
from transformer_course.transformer import Transformer

SOURCE_LENGTH, TARGET_LENGTH, VOCAB_SIZE = 32, 128, 440
SIZES = [(16, 256, 8, 3), (1, 256, 8, 3), (1, 128, 4, 2)]  # batch, d_model, heads, layers
GOALS = {1: 5.0, 16: 20.0}  # batch: how many times faster the cache should be


def measure(batch: int, d_model: int, heads: int, layers: int, device: torch.device, rounds: int) -> dict[str, Any]:
    """Measure one row of the table."""
    torch.manual_seed(0)
    model = Transformer(VOCAB_SIZE, VOCAB_SIZE, d_model, heads, layers, layers, 4 * d_model, norm_first=True).to(device)
    with torch.no_grad():
        model.output_layer.bias[EOS] = -1e9
    source = torch.randint(4, VOCAB_SIZE, (batch, SOURCE_LENGTH), device=device)
    tokens = {}

    def decode(use_cache: bool) -> None:
        tokens[use_cache] = translate(model, source, TARGET_LENGTH, use_cache=use_cache)

    result = compare({"cache": lambda: decode(True), "no cache": lambda: decode(False)}, device, rounds)
    if not torch.equal(tokens[True], tokens[False]) or tokens[True].shape != (batch, TARGET_LENGTH):
        raise AssertionError("the two ways of decoding wrote different tokens")
    return result | {
        "batch": batch,
        "d_model": d_model,
        "layers": layers,
        "cache ms": result["seconds"]["cache"] * 1000,
        "no cache ms": result["seconds"]["no cache"] * 1000,
        "cache tokens/s": batch * TARGET_LENGTH / result["seconds"]["cache"],
        "times faster": result["ratio"]["no cache"],
        "lowest": result["ratio_range"]["no cache"][0],
        "highest": result["ratio_range"]["no cache"][1],
        "goal": GOALS[batch],
        "same tokens": "yes",
    }


def main() -> None:
    """Measure all sizes."""
    options = arguments(__doc__.splitlines()[0]).parse_args()
    device = torch.device(options.device)
    rows: list[dict[str, Any]] = []
    for size in SIZES:
        rows.append(measure(*size, device, options.rounds))
        columns = ["batch", "d_model", "layers", "cache ms", "no cache ms", "cache tokens/s", "times faster"]
        write("decoding", device, options.rounds, rows, [*columns, "lowest", "highest", "goal", "same tokens"])


if __name__ == "__main__":
    main()
