"""Chapter 18: SmolLM2 loaded wrongly, one mistake at a time: what it says then, and its loss on a text."""

from collections.abc import Callable
from functools import partial

import torch

from experiments.real_models.reading import losses, plain_english, smollm2
from transformer_course.published.modern_language_model import ModernLanguageModel, Writer

QUESTION = "What is the capital of France?"
LENGTH, NUM_TOKENS = 256, 24
Change = Callable[[ModernLanguageModel], None]


def _nothing(model: ModernLanguageModel) -> None:
    pass


def _squares(name: str, model: ModernLanguageModel) -> None:
    for block in model.blocks:
        layer = getattr(block, name)
        layer.weight = torch.nn.Parameter(layer.weight.T.contiguous(), requires_grad=False)


def _halves(model: ModernLanguageModel) -> None:
    """Sort the rows as if they were published in halves, where the file has them in pairs."""
    from transformer_course.published.pretrained import pairs_from_halves

    for block in model.blocks:
        for name, heads in (("w_query", block.num_heads), ("w_key", block.num_groups)):
            layer = getattr(block, name)
            layer.weight = torch.nn.Parameter(pairs_from_halves(layer.weight, heads), requires_grad=False)


def _base(base: float, model: ModernLanguageModel) -> None:
    for block in model.blocks:
        block.base = base


def _eps(eps: float, model: ModernLanguageModel) -> None:
    for norm in (model.norm, *(norm for block in model.blocks for norm in (block.norm_1, block.norm_2))):
        norm.eps = eps


def _one(name: str, model: ModernLanguageModel) -> None:
    for module in model.blocks if name != "norm" else [model]:
        norm = getattr(module, name)
        norm.weight = torch.nn.Parameter(torch.ones_like(norm.weight), requires_grad=False)


def _unscaled(model: ModernLanguageModel) -> None:
    """Leave out the division by the square root of d_k: queries that are as much longer do the same."""
    for block in model.blocks:
        block.w_query.weight = torch.nn.Parameter(block.w_query.weight * block.d_k**0.5, requires_grad=False)


def _exchanged(model: ModernLanguageModel) -> None:
    for block in model.blocks:
        block.w_gate, block.w_up = block.w_up, block.w_gate


def _turns(model: ModernLanguageModel) -> None:
    """Let head i read group i mod 3 in the place of i // 3: the heads of the queries and of the output in turns."""
    for block in model.blocks:
        order = torch.arange(block.num_heads).view(-1, block.num_groups).T.flatten()  # 0 3 6 1 4 7 2 5 8
        rows = block.w_query.weight.unflatten(0, (block.num_heads, -1))[order].flatten(0, 1)
        columns = block.w_output.weight.unflatten(1, (block.num_heads, -1))[:, order].flatten(1)
        block.w_query.weight = torch.nn.Parameter(rows, requires_grad=False)
        block.w_output.weight = torch.nn.Parameter(columns, requires_grad=False)


def _scaled_table(model: ModernLanguageModel) -> None:
    """Multiply the embeddings by the square root of d_model, as the Transformer of 2017 does; not the output."""
    scale = model.sizes.d_model**0.5
    model.token.weight = torch.nn.Parameter(model.token.weight * scale, requires_grad=False)


TRAPS: dict[str, Change] = {
    "loaded rightly": _nothing,
    "W_O not the right way round": partial(_squares, "w_output"),
    "W_Q not the right way round": partial(_squares, "w_query"),
    "rotation in halves for pairs": _halves,
    "base 10,000 for 100,000": partial(_base, 10_000.0),
    "base 500,000 for 100,000": partial(_base, 500_000.0),
    "groups in turns": _turns,
    "scores not divided": _unscaled,
    "gate and up exchanged": _exchanged,
    "embedding scaled": _scaled_table,
    "eps 1e-6 for 1e-5": partial(_eps, 1e-6),
    "eps 1e-12 for 1e-5": partial(_eps, 1e-12),
    "gain of the last norm forgotten": partial(_one, "norm"),
    "gains of the first norms forgotten": partial(_one, "norm_1"),
    "gains of the second norms forgotten": partial(_one, "norm_2"),
}


def run() -> dict:
    """Spring each trap in a copy that shares the weights that it leaves alone."""
    found, right = smollm2(), None
    tokens = plain_english(LENGTH)
    asked = found.text.encode(found.text.render([{"role": "user", "content": QUESTION}]))
    rows = []
    for name, change in TRAPS.items():
        model = twin(found.model)
        with torch.inference_mode():
            change(model)
            logits = model(tokens)
        right = logits if right is None else right
        written = list(Writer(model).write(asked, NUM_TOKENS, found.text.end_ids, temperature=0))
        rows.append(
            {
                "trap": name,
                "loss": losses(logits, tokens).mean().item(),
                "other": (logits.argmax(-1) != right.argmax(-1)).float().mean().item(),
                "gap": (logits - right).abs().max().item(),
                "says": found.text.decode(written),
            }
        )
    return {"question": QUESTION, "length": LENGTH, "rows": rows}


def twin(model: ModernLanguageModel) -> ModernLanguageModel:
    """Make a model of the same tensors, in which other tensors can be put."""
    with torch.device("meta"):
        copy = ModernLanguageModel(model.sizes)
    copy.load_state_dict(model.state_dict(), assign=True)
    return copy.requires_grad_(False).eval()
