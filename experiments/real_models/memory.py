"""Chapter 17: what the cache of SmolLM2 holds, what fewer groups save, and what fewer bits cost."""

import time

import torch
from torch import Tensor

from experiments.real_models.reading import losses, plain_english, smollm2
from experiments.real_models.traps import twin
from transformer_course.efficient_attention import cache_bytes, sliding_window_mask
from transformer_course.published.modern_language_model import ModernLanguageModel, Sizes
from transformer_course.published.packages import load_minilm

LENGTHS, REPEATS, TEXT = (128, 1024, 4096), 7, 320
WINDOWS, BITS, BLOCK = (8, 16, 32, 64, 128), (5, 4, 3, 2), 32


@torch.inference_mode()
def run() -> dict:
    """Measure bytes, time, and loss."""
    model, tokens = smollm2().model, plain_english(TEXT)
    whole = model(tokens)
    wide = ungrouped(model)
    gap = (wide(tokens[:, :64]) - whole[:, :64]).abs().max().item()
    speeds = [
        {"groups": each.sizes.num_groups, "length": length, "seconds": seconds_of_a_token(each, length),
         "bytes": cache_bytes(length, 30, each.sizes.num_groups, 64, bytes_per_number=4)}
        for length in LENGTHS for each in (model, wide)
    ]  # fmt: skip
    windows = [{"window": w, "start": kept, "loss": windowed(model, tokens, w, kept)}
               for w in WINDOWS for kept in (False, True)]  # fmt: skip
    bits = [{"bits": b, "loss": losses(fewer_bits(model, b)(tokens), tokens).mean().item()} for b in BITS]
    return {"length": TEXT, "loss": losses(whole, tokens).mean().item(), "gap": gap, "speeds": speeds,
            "loss_of_the_rest": losses(whole, tokens)[0, max(WINDOWS) :].mean().item(), "windows": windows,
            "bits": bits, "minilm": minilm_in_bits()}  # fmt: skip


def ungrouped(model: ModernLanguageModel) -> ModernLanguageModel:
    """Give each head keys and values of its own, those of its group: the same function with nine groups."""
    sizes = Sizes(**{**vars(model.sizes), "num_groups": model.sizes.num_heads})
    state = dict(model.state_dict())
    for name in [name for name in state if "w_key" in name or "w_value" in name]:
        rows = state[name].unflatten(0, (model.sizes.num_groups, -1))
        state[name] = rows.repeat_interleave(model.sizes.num_heads // model.sizes.num_groups, 0).flatten(0, 1)
    with torch.device("meta"):
        wide = ModernLanguageModel(sizes)
    wide.load_state_dict(state, assign=True)
    return wide.requires_grad_(False).eval()


def seconds_of_a_token(model: ModernLanguageModel, length: int) -> float:
    """Time one more token after so many, whose keys and values are random: the least of several."""
    shape = (1, model.sizes.num_groups, length, 64)
    caches = [(torch.randn(shape), torch.randn(shape)) for _ in model.blocks]
    times = []
    for _ in range(REPEATS):
        begun = time.process_time()
        model.read(torch.tensor([[504]]), caches)
        times.append(time.process_time() - begun)
    return min(times)


def windowed(model: ModernLanguageModel, tokens: Tensor, window: int, start: bool) -> float:
    """Let each token see the last ones only, and perhaps the first of the text as well; give the loss of the rest."""
    mask = sliding_window_mask(tokens.shape[1], window)
    if start:
        mask = mask.clone()
        mask[:, 0] = True
    x = model.token(tokens)
    for block in model.blocks:
        x = block(x, mask)
    return losses(model.output(model.norm(x)), tokens)[0, max(WINDOWS) :].mean().item()


def fewer_bits(model: ModernLanguageModel, bits: int) -> ModernLanguageModel:
    """Round the weights of the blocks again, each 32 of them to that many bits with a least number and a step."""
    rounded = twin(model)
    for block in rounded.blocks:
        for layer in (module for module in block.children() if isinstance(module, torch.nn.Linear)):
            layer.weight = torch.nn.Parameter(rounded_to(layer.weight, bits), requires_grad=False)
    return rounded


def rounded_to(weight: Tensor, bits: int) -> Tensor:
    """Round as Q4_1 does, in as many bits: 32 weights share their least number and the step."""
    parts = weight.unflatten(-1, (-1, BLOCK))
    low, high = parts.amin(-1, keepdim=True), parts.amax(-1, keepdim=True)
    step = ((high - low) / (2**bits - 1)).clamp(min=1e-12)
    return (((parts - low) / step).round() * step + low).flatten(-2)


def minilm_in_bits() -> list[dict]:
    """Round MiniLM, whose package holds float32, and compare the cosines of all pairs of sentences of the text."""
    sentences = [s for s in smollm2().text.decode(plain_english()[0, 1:].tolist()).replace("\n", " ").split(". ") if s]
    reader = load_minilm()
    exact = _cosines(reader.vectors(sentences))
    whole = {name: tensor.clone() for name, tensor in reader.model.state_dict().items()}
    rows = []
    for bits in (8, *BITS):
        state = {name: rounded_to(x, bits) if x.dim() == 2 and "blocks" in name else x for name, x in whole.items()}
        reader.model.load_state_dict(state)
        found = _cosines(reader.vectors(sentences))
        ranks = torch.stack([exact.argsort().argsort(), found.argsort().argsort()]).double()
        rows.append({"bits": bits, "sentences": len(sentences), "off_by": (found - exact).abs().mean().item(),
                     "rank_correlation": torch.corrcoef(ranks)[0, 1].item()})  # fmt: skip
    return rows


def _cosines(vectors: Tensor) -> Tensor:
    rows, columns = torch.triu_indices(len(vectors), len(vectors), 1)
    return (vectors @ vectors.T)[rows, columns]
