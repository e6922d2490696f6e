"""The recurrent models of the ladder: the pieces of chapters 02 and 03, put together, and able to learn."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from transformer_course.common.tokens import BOS, EOS, PAD
from transformer_course.rnn_attention import additive_score, attend, bidirectional_encode, dot_score
from transformer_course.rnn_encoder_decoder import beam_search, encode, greedy_decode, gru_cell
from transformer_course.sequence_transduction import label_smoothing_loss, pad_sequences, teacher_forcing_pair
from transformer_course.training.ladder.encoders import BidirectionalGRUEncoder, GRUEncoder
from transformer_course.training.ladder.gru import BidirectionalGRUTranslator, GRUTranslator
from transformer_course.training.ladder.gru_attention import BahdanauTranslator, LuongTranslator

SOURCE_VOCAB_SIZE, TARGET_VOCAB_SIZE, D_EMBEDDING, D_HIDDEN = 11, 13, 5, 6
SOURCE = torch.tensor([[4, 5, 6, 10, EOS], [7, EOS, PAD, PAD, PAD], [8, 4, 9, EOS, PAD]])
TARGET_INPUT = torch.tensor([[BOS, 5, 12, 7], [BOS, 9, 4, EOS], [BOS, 6, EOS, PAD]])
LENGTHS = torch.tensor([5, 2, 4])

PLAIN = [GRUTranslator, BidirectionalGRUTranslator]
WITH_ATTENTION = [BahdanauTranslator, LuongTranslator]


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


def make(cls):
    sizes = {"d_embedding": D_EMBEDDING, "d_hidden": D_HIDDEN} | ({"d_encoder": 4} if cls in WITH_ATTENTION else {})
    return cls(SOURCE_VOCAB_SIZE, TARGET_VOCAB_SIZE, **sizes).double().eval()


def as_cell(gru):
    weights = list(gru.parameters())
    return lambda x, hidden: gru_cell(x, hidden, *weights)


# --- equal to the functions of chapters 02 and 03 -----------------------------------------------------------------


def test_encoder_equals_encode():
    encoder = GRUEncoder(SOURCE_VOCAB_SIZE, D_EMBEDDING, D_HIDDEN).double()
    memory, summary = encoder(SOURCE)
    start = torch.zeros(3, D_HIDDEN, dtype=torch.float64)
    expected, final = encode(encoder.embedding(SOURCE), LENGTHS, as_cell(encoder.from_left), start)
    assert_close(memory, expected)
    assert_close(summary, final)


def test_bidirectional_encoder_equals_bidirectional_encode():
    encoder = BidirectionalGRUEncoder(SOURCE_VOCAB_SIZE, D_EMBEDDING, D_HIDDEN).double()
    memory, summary = encoder(SOURCE)
    expected = bidirectional_encode(
        encoder.embedding(SOURCE),
        LENGTHS,
        as_cell(encoder.from_left),
        as_cell(encoder.from_right),
        torch.zeros(3, D_HIDDEN, dtype=torch.float64),
    )
    assert_close(memory, expected)
    # From the left it ends at the last word, from the right at the first one.
    last = torch.stack([expected[row, length - 1, :D_HIDDEN] for row, length in enumerate(LENGTHS)])
    assert_close(summary, torch.cat([last, expected[:, 0, D_HIDDEN:]], dim=-1))


def test_decoder_without_attention_equals_a_loop_over_the_cell():
    model = make(GRUTranslator)
    _, hidden = model.encoder(SOURCE)
    states, _ = encode(model.embedding(TARGET_INPUT), torch.full((3,), 4), as_cell(model.decoder), hidden)
    assert_close(model(SOURCE, TARGET_INPUT), model.output(states))


@pytest.mark.parametrize("cls", WITH_ATTENTION)
def test_attention_equals_the_functions_of_chapter_03(cls):
    model = make(cls)
    memory, summary = model.encoder(SOURCE)
    hidden = torch.tanh(model.first_hidden(summary))
    logits, maps = [], []
    for word in TARGET_INPUT.T:
        embedded = model.embedding(word)
        if cls is BahdanauTranslator:  # looks with the state before the word
            scores = additive_score(hidden, memory, model.w_query.weight, model.w_key.weight, model.v.weight[0])
            context, weights = attend(scores, memory, SOURCE != PAD)
            hidden = gru_cell(torch.cat([embedded, context], dim=-1), hidden, *model.cell.parameters())
        else:  # looks with the state after it
            hidden = gru_cell(embedded, hidden, *model.decoder.parameters())
            context, weights = attend(dot_score(hidden @ model.w_query.weight.T, memory), memory, SOURCE != PAD)
        logits.append(model.output(torch.tanh(model.combine(torch.cat([hidden, context], dim=-1)))))
        maps.append(weights)
    assert_close(model(SOURCE, TARGET_INPUT), torch.stack(logits, dim=1))
    assert_close(model.attention_weights(SOURCE, TARGET_INPUT), torch.stack(maps, dim=1))


# --- what every model must do -------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", PLAIN + WITH_ATTENTION)
def test_word_by_word_gives_the_logits_of_the_whole_sentence(cls, device):
    model, source, target_input = make(cls).to(device), SOURCE.to(device), TARGET_INPUT.to(device)
    expected = model(source, target_input)
    assert expected.shape == (3, 4, TARGET_VOCAB_SIZE)
    state = model.start_decoding(source)
    for position in range(4):
        logits, state = model.decode_step(target_input[:, position], state)
        assert_close(logits, expected[:, position])
        assert all(len(tensor) == 3 for tensor in state.values())


@pytest.mark.parametrize("cls", PLAIN + WITH_ATTENTION)
def test_more_padding_changes_nothing(cls):
    model = make(cls)
    longer = torch.cat([SOURCE, torch.full((3, 2), PAD)], dim=1)
    assert_close(model(longer, TARGET_INPUT), model(SOURCE, TARGET_INPUT))
    for row, length in enumerate(LENGTHS):
        alone = model(SOURCE[row : row + 1, :length], TARGET_INPUT[row : row + 1])
        assert_close(alone[0], model(SOURCE, TARGET_INPUT)[row])


@pytest.mark.parametrize("cls", PLAIN + WITH_ATTENTION)
def test_a_word_has_no_effect_on_the_words_before_it(cls):
    model = make(cls)
    before = model(SOURCE, TARGET_INPUT)
    changed = TARGET_INPUT.clone()
    changed[:, 2] = 3
    after = model(SOURCE, changed)
    assert_close(after[:, :2], before[:, :2])
    assert (after[:, 2:] - before[:, 2:]).abs().amax(dim=-1).min() > 1e-6


@pytest.mark.parametrize("cls", PLAIN + WITH_ATTENTION)
def test_every_parameter_gets_a_gradient(cls):
    model = make(cls)
    label_smoothing_loss(model(SOURCE, TARGET_INPUT), TARGET_INPUT).backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None, name
        assert parameter.grad.abs().max() > 0, name


@pytest.mark.parametrize("cls", WITH_ATTENTION)
def test_attention_is_never_on_padding(cls):
    weights = make(cls).attention_weights(SOURCE, TARGET_INPUT)
    assert weights.shape == (3, 4, 5)
    assert_close(weights.sum(dim=-1), torch.ones(3, 4, dtype=torch.float64))
    assert weights[(SOURCE == PAD).unsqueeze(1).expand_as(weights)].abs().max() == 0


@pytest.mark.parametrize("cls", PLAIN)
def test_a_model_without_attention_says_so(cls):
    with pytest.raises(NotImplementedError, match=f"{cls.__name__} has no attention"):
        make(cls).attention_weights(SOURCE, TARGET_INPUT)


def test_an_odd_width_has_no_halves():
    with pytest.raises(ValueError, match="d_hidden: expected an even number, half for each direction, got 7"):
        BidirectionalGRUTranslator(11, 13, d_hidden=7)


@pytest.mark.parametrize("cls", PLAIN + WITH_ATTENTION)
def test_decoding_by_beam_and_by_greedy_search(cls, device):
    model, source = make(cls).to(device), SOURCE.to(device)
    written = greedy_decode(model.decode_step, model.start_decoding(source), 3, max_length=6).tolist()
    for row, length in enumerate(LENGTHS):
        alone = model.start_decoding(source[row : row + 1, :length])
        ((tokens, _),) = beam_search(model.decode_step, alone, 1, max_length=6)
        assert tokens == written[row][: len(tokens)]
        for tokens, score in beam_search(model.decode_step, alone, 3, max_length=6):
            target = torch.tensor([[BOS, *tokens]], device=device)
            logits = model(source[row : row + 1, :length], target[:, :-1])
            expected = logits.log_softmax(dim=-1)[0, range(len(tokens)), tokens].sum().item()
            assert score == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("cls", PLAIN + WITH_ATTENTION)
def test_about_a_million_parameters_on_the_built_in_language(cls):
    model = cls(361, 812)  # its words and the four special tokens
    assert sum(parameter.numel() for parameter in model.parameters()) == pytest.approx(1e6, rel=0.05)


@pytest.mark.parametrize("cls", PLAIN + WITH_ATTENTION)
def test_it_learns_to_reverse(cls):
    """Sentences of 3 words from 6, read backwards: learnt to the last word within seconds."""
    generator = torch.Generator().manual_seed(1)
    sizes = {"d_embedding": 24, "d_hidden": 48} | ({"d_encoder": 24} if cls in WITH_ATTENTION else {})
    model = cls(10, 10, **sizes)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(120):
        words = torch.randint(4, 10, (32, 3), generator=generator).tolist()
        source = pad_sequences([[*sentence, EOS] for sentence in words])
        target = pad_sequences([[BOS, *reversed(sentence), EOS] for sentence in words])
        target_input, labels = teacher_forcing_pair(target)
        loss = label_smoothing_loss(model(source, target_input), labels, smoothing=0.0)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    model.eval()
    written = greedy_decode(model.decode_step, model.start_decoding(source), len(source), max_length=6)
    exact = (written == labels).all(dim=1).double().mean() if written.shape == labels.shape else torch.tensor(0.0)
    assert exact > 0.95, f"{exact:.0%} of the sentences right, loss {loss:.3f}"
