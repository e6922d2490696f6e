"""The control of chapter 02: a decoder that gets the same vector at every step."""

import torch

from experiments.constant_context.run import ConstantContextTranslator
from experiments.ladder.run import SETTINGS
from experiments.results import committed
from transformer_course.training.ladder.gru_attention import LuongTranslator

SOURCE = torch.tensor([[4, 5, 6, 2], [7, 2, 0, 0]])  # (batch, source_length), the second sentence padded
TARGET = torch.tensor([[1, 4, 5], [1, 6, 7]])  # (batch, target_length)


def test_the_mean_is_attention_with_equal_weights():
    torch.manual_seed(0)
    luong = LuongTranslator(9, 8)
    luong.w_query.weight.data.zero_()  # all scores are 0
    control = ConstantContextTranslator(9, 8, "mean")
    control.load_state_dict({k: v for k, v in luong.state_dict().items() if not k.startswith("w_query")})
    with torch.no_grad():
        torch.testing.assert_close(control(SOURCE, TARGET), luong(SOURCE, TARGET))


def test_word_by_word_it_says_the_same():
    torch.manual_seed(0)
    for context in ("mean", "last"):
        control = ConstantContextTranslator(9, 8, context).eval()
        with torch.no_grad():
            at_once, state = control(SOURCE, TARGET), control.start_decoding(SOURCE)
            for position in range(TARGET.shape[1]):
                logits, state = control.decode_step(TARGET[:, position], state)
                torch.testing.assert_close(logits, at_once[:, position])


def test_the_committed_run_had_the_settings_of_the_ladder():
    kept = committed("constant_context")["settings"]
    ladder = committed("ladder")
    steps = [run["steps"] for run in ladder["runs"] if run["model"] == "luong"]
    assert kept["model"] == SETTINGS["luong"] == ladder["settings"]["models"]["luong"]
    assert kept["num_steps"] == round(sum(steps) / len(steps))
    assert kept["num_train"] == ladder["settings"]["num_train"]
