"""The oracle of exercise 10 against torch's own layers, numbers by hand, and a model whose translations are known."""

import pytest
import torch
from torch import nn

from transformer_course.checks import transformer as checks
from transformer_course.checks.oracles_transformer import right_logits, right_rate, right_shapes

OPTIONS = {"d_model": 12, "num_heads": 3, "num_encoder_layers": 2, "num_decoder_layers": 1, "d_ff": 7}


def layer(kind, weights, name, norm_first):
    """Make one of torch's layers with the weights of a block."""
    made = kind(12, 3, 7, 0.0, batch_first=True, norm_first=norm_first, dtype=torch.float64).eval()
    block = {key.removeprefix(f"{name}."): each for key, each in weights.items() if key.startswith(f"{name}.")}
    state = {
        key.replace("feed_forward.linear_", "linear").replace("norm_", "norm"): each for key, each in block.items()
    }
    for ours, theirs in (("self_attention", "self_attn"), ("cross_attention", "multihead_attn")):
        for what in ("weight", "bias"):
            parts = [state.pop(f"{ours}.w_{part}.{what}", None) for part in ("query", "key", "value", "output")]
            if parts[0] is not None:
                state[f"{theirs}.in_proj_{what}"] = torch.cat(parts[:3])
                state[f"{theirs}.out_proj.{what}"] = parts[3]
    made.load_state_dict(state)
    return made


@pytest.mark.parametrize("norm_first", [False, True])
def test_the_oracle_computes_what_torch_computes(norm_first):
    options = OPTIONS | {"norm_first": norm_first}
    shapes = right_shapes(11, 9, options)
    weights = {name: checks.draw(*shape, seed=number).double() for number, (name, shape) in enumerate(shapes.items())}
    source, target = checks.padded((5, 3), 11, seed=1), checks.padded((4, 2), 9, seed=2, bos=True)
    positions = torch.arange(6, dtype=torch.float64)[:, None] / 10_000 ** (torch.arange(0, 12, 2).double() / 12)
    encoding = torch.stack([positions.sin(), positions.cos()], -1).flatten(1)

    def embed(name, tokens):
        return weights[f"{name}_embedding.token.weight"][tokens] * 12**0.5 + encoding[: tokens.shape[1]]

    def last_norm(name, x):
        if not norm_first:
            return x
        return nn.functional.layer_norm(x, (12,), weights[f"{name}_norm.weight"], weights[f"{name}_norm.bias"])

    memory, hidden = embed("source", source), source == 0
    for number in range(2):
        block = layer(nn.TransformerEncoderLayer, weights, f"encoder_blocks.{number}", norm_first)
        memory = block(memory, src_key_padding_mask=hidden)
    block = layer(nn.TransformerDecoderLayer, weights, "decoder_blocks.0", norm_first)
    future = torch.ones(4, 4).triu(1).bool()
    x = block(embed("target", target), last_norm("encoder", memory), future, memory_key_padding_mask=hidden)
    logits = last_norm("decoder", x) @ weights["output_layer.weight"].T + weights["output_layer.bias"]
    real = target != 0
    torch.testing.assert_close(right_logits(weights, options, source, target)[real], logits[real])


def test_the_rate_is_that_of_the_paper():
    rates = [right_rate(step, 512, 4000) for step in (1, 4000, 8000)]
    assert rates == pytest.approx([1.747e-7, 6.988e-4, 4.941e-4], rel=1e-3)


def test_what_a_change_can_reach():
    assert list(checks.measured_reach().values()) == ["all", "from 3 on", "all", "none", "none"]


def test_sentences_are_translated_as_their_letters_say():
    model = checks.small_translator(9, seed=3)
    source, target = checks.translations(model, "rflmsn", seed=5)
    model.eval()
    for row, fault in enumerate("rflmsn"):
        words = torch.tensor([[1]])
        while words[0, -1] != 2:
            logits = model.decode(words, model.encode(source[row : row + 1]), source[row : row + 1])
            words = torch.cat([words, logits[:, -1:].argmax(-1)], 1)
        wanted = target[row][target[row] != 0]
        assert (words[0].tolist() == wanted.tolist()) == (fault == "r")
