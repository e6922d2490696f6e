import hashlib
import math

import pytest
import torch
from torch import nn

from experiments.induction.copying import AttentionOnly, make_model, measure, repeated_tokens, train
from experiments.language.recipes import copied_share, loss_by_reach
from transformer_course.data.shakespeare import MD5, Characters, load_shakespeare, shakespeare_text
from transformer_course.language_model import LanguageModel
from transformer_course.training.checkpoint import save_checkpoint
from transformer_course.training.config import TrainingConfig
from transformer_course.training.language import LanguageTrainer, losses_of, nats_per_token

TEXT = torch.arange(300) % 7


def tiny() -> LanguageModel:
    torch.manual_seed(0)
    return LanguageModel(7, d_model=8, num_heads=2, num_layers=1, d_ff=16, max_length=12, dropout=0.1)


def config(num_steps: int, **more) -> TrainingConfig:
    return TrainingConfig(num_steps=num_steps, learning_rate=1e-2, warmup_steps=5, micro_batch_tokens=48, **more)


def test_the_shipped_text_is_the_one_that_everybody_has():
    assert hashlib.md5(shakespeare_text().encode()).hexdigest() == MD5
    data = load_shakespeare()
    assert torch.equal(torch.cat([data.train, data.validation]), data.characters.encode(shakespeare_text()))


def test_characters_come_back_and_unknown_ones_are_named():
    characters = Characters("abc ")
    assert characters.decode(characters.encode("a cab")) == "a cab"
    with pytest.raises(ValueError, match="'x'"):
        characters.encode("axe")


def test_a_model_learns_a_text_that_repeats():
    losses = LanguageTrainer(tiny(), TEXT, config(80), length=12).run()
    assert len(losses) == 80
    assert losses[0] == pytest.approx(math.log(7), abs=0.2)
    assert sum(losses[-5:]) / 5 < 1.0


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path):
    whole, stopped, again = tiny(), tiny(), tiny()
    LanguageTrainer(whole, TEXT, config(12), length=10).run()
    halted = LanguageTrainer(stopped, TEXT, config(12), length=10)
    for _ in range(5):
        halted.progress.losses.append(halted._update())
        halted.progress.step += 1
    save_checkpoint(tmp_path / "checkpoint.pt", halted.state_dict())
    torch.manual_seed(99)
    resumed = LanguageTrainer(again, TEXT, config(12), length=10)
    resumed.resume(tmp_path / "checkpoint.pt")
    losses = resumed.run()
    assert len(losses) == 12
    for name, parameter in whole.named_parameters():
        assert torch.equal(parameter, again.get_parameter(name)), name


def test_a_checkpoint_of_another_text_is_refused(tmp_path):
    LanguageTrainer(tiny(), TEXT, config(1), length=10).run(tmp_path / "checkpoint.pt")
    with pytest.raises(ValueError, match="300"):
        LanguageTrainer(tiny(), TEXT[:200], config(1), length=10).resume(tmp_path / "checkpoint.pt")
    for text, length, name in ((TEXT.flip(0), 10, "text"), (TEXT, 9, "length")):
        with pytest.raises(ValueError, match=f"checkpoint: made with other {name}"):
            LanguageTrainer(tiny(), text, config(1), length=length).resume(tmp_path / "checkpoint.pt")


class AfterTheLast(nn.Module):
    """Say that a token is followed by the next number, with probability 0.9."""

    def forward(self, tokens):
        return nn.functional.one_hot((tokens + 1) % 7, 7) * math.log(0.9 / (0.1 / 6))


@pytest.mark.parametrize("least_context", [0, 3])
def test_every_token_of_a_text_is_measured_once(least_context):
    text = torch.arange(60) % 7
    text[30] = 0  # it was 2: two predictions go wrong
    places, losses = losses_of(AfterTheLast(), text, 11, least_context)
    assert len(set(places.tolist())) == len(places)
    assert places.tolist() == list(range(1 + least_context, 1 + least_context + len(places)))
    wrong = {place for place, loss in zip(places.tolist(), losses.tolist(), strict=True) if loss > 1}
    assert wrong == {30, 31}
    assert losses[0].item() == pytest.approx(-math.log(0.9), rel=1e-5)
    assert nats_per_token(AfterTheLast(), text, 11, least_context) == pytest.approx(losses.mean().item())


def test_copied_pieces_are_counted():
    assert copied_share("abcd", "xxabcxx", 2) == pytest.approx(2 / 3)
    assert copied_share("ab", "ab", 3) == 0.0


def test_repeated_texts_are_written_twice_and_no_token_comes_twice_in_a_half():
    tokens = repeated_tokens(5, 9, torch.Generator().manual_seed(0))
    assert tokens.shape == (5, 18)
    assert torch.equal(tokens[:, :9], tokens[:, 9:])
    assert all(len(set(row.tolist())) == 9 for row in tokens[:, :9])


def test_a_fresh_model_guesses_both_halves():
    torch.manual_seed(0)
    model = make_model("language model", 2)
    seen = measure(model, repeated_tokens(3, 10, torch.Generator().manual_seed(1)))
    assert seen.first == pytest.approx(math.log(64), abs=0.1)
    assert seen.repeated == pytest.approx(math.log(64), abs=0.1)
    assert (len(seen.induction), len(seen.induction[0])) == (2, 4)
    # Weights that are spread evenly over position t and those before it: the mean of 1 / (t + 1), 9 and more before.
    assert seen.induction[0][0] == pytest.approx(sum(1 / (t + 1) for t in range(10, 19)) / 9, rel=0.2)


def test_maps_are_kept_between_two_updates():
    _, measured, maps = train("attention only", 1, 0, num_updates=4, every=2, batch=2, keep=(2, 4))
    assert [each.update for each in measured] == [0, 2, 4]
    assert list(maps) == [2, 4]
    assert maps[2].shape == (1, 4, 16, 16)


def test_rotary_attention_sees_distances_and_no_later_token():
    torch.manual_seed(0)
    model = AttentionOnly(2)
    tokens = torch.randint(64, (2, 9))
    before, other = model(tokens), tokens.clone()
    other[:, 6] = (tokens[:, 6] + 1) % 64
    assert torch.equal(model(other)[:, :6], before[:, :6])
    alone = AttentionOnly(1)
    shifted = torch.cat([tokens[:, :1], tokens], dim=1)
    with torch.no_grad():
        weights = alone.attentions[0](alone.token(tokens))[1]
        later = alone.attentions[0](alone.token(shifted))[1][..., 1:, 1:]
    torch.testing.assert_close(later / later.sum(-1, keepdim=True), weights)


def test_attention_that_reaches_less_far_sees_the_last_tokens_alone():
    model, text = tiny().eval(), TEXT[:90]
    found = loss_by_reach(model, text, 12, (2, 6, 12))
    assert found[12] == pytest.approx(nats_per_token(model, text, 12, least_context=6), abs=1e-6)
    # By hand for one block: the last token of a window, from the two before it, at their places.
    inputs = text[None, :12].clone()
    with torch.no_grad():
        embedded = model.embed(inputs)[:, 10:]
        alone = model.logits(model.blocks[0](embedded, torch.ones(2, 2, dtype=torch.bool).tril()))[0, -1]
        of_window = loss_by_reach(model, text[:13], 12, (2,))[2] * 6
        others = sum(
            -model.logits(model.blocks[0](model.embed(inputs)[:, at - 1 : at + 1], torch.ones(2, 2).tril() > 0))[0, -1]
            .log_softmax(-1)[text[at + 1]]
            .item()
            for at in range(6, 11)
        )
    assert of_window == pytest.approx(others - alone.log_softmax(-1)[text[12]].item(), abs=1e-4)
