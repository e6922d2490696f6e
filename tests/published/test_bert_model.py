"""BERT against `transformers`, with random weights; nothing is downloaded."""

import os

import pytest
import torch

os.environ["HF_HUB_OFFLINE"] = "1"
transformers = pytest.importorskip("transformers", reason="pip install -r requirements-dev.txt brings transformers")

from tokenizers import Tokenizer, models, pre_tokenizers  # noqa: E402
from torch.nn import functional as F  # noqa: E402

from transformer_course.published.bert_model import SentenceReader, bert_parts, fill_encoder, load_bert  # noqa: E402

TOKENS = torch.tensor([[3, 7, 9, 4, 11], [5, 6, 0, 0, 0]])


@pytest.fixture(scope="module", params=["gelu", "gelu_new", "relu"])
def bert(request):
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=40, hidden_size=24, num_hidden_layers=3, num_attention_heads=4, intermediate_size=36,
        max_position_embeddings=16, layer_norm_eps=1e-3, hidden_act=request.param, pad_token_id=0,
    )  # fmt: skip
    model = transformers.BertModel(config).eval()
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn(parameter.shape, generator=generator))
    return model


@pytest.mark.parametrize("prefix", ["", "bert."])
def test_vectors_of_words_are_those_of_transformers(bert, prefix):
    state = {prefix + name: tensor for name, tensor in bert.state_dict().items()}
    with torch.no_grad():
        expected = bert(TOKENS, attention_mask=TOKENS != 0).last_hidden_state
        found = load_bert(state, bert.config.to_dict()).encode(TOKENS)
    torch.testing.assert_close(found[TOKENS != 0], expected[TOKENS != 0], rtol=0, atol=1e-5)


def test_a_learners_own_model_can_be_filled(bert):
    class Learners(torch.nn.Module):
        """As exercise 14 asks for it: the names are fixed, the rest is free."""

        def __init__(self):
            super().__init__()
            self.token, self.position = torch.nn.Embedding(40, 24), torch.nn.Embedding(16, 24)
            self.blocks, self.norm = torch.nn.ModuleList(), torch.nn.LayerNorm(24)

        def encode(self, tokens):
            x = self.token(tokens) + self.position.weight[: tokens.shape[1]]
            for block in self.blocks:
                x = block(x, (tokens != 0)[:, None, None, :])
            return self.norm(x)

    found = fill_encoder(Learners(), bert_parts(bert.state_dict(), bert.config.to_dict()))
    with torch.no_grad():
        expected = bert(TOKENS, attention_mask=TOKENS != 0).last_hidden_state[TOKENS != 0]
        torch.testing.assert_close(found.encode(TOKENS)[TOKENS != 0], expected, rtol=0, atol=1e-5)


def test_a_sentence_is_the_mean_of_its_words_with_length_1(bert):
    words = ["[PAD]", "[UNK]", *"abcdefgh"]
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    reader = SentenceReader(load_bert(bert.state_dict(), bert.config.to_dict()), tokenizer, longest=4)
    found = reader.vectors(["a b c", "d", "a b c d e f"])
    with torch.no_grad():
        rows = [torch.tensor([ids]) for ids in ([2, 3, 4], [5], [2, 3, 4, 5])]
        expected = torch.cat([F.normalize(bert(row).last_hidden_state.mean(dim=1)) for row in rows])
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"model_type": "roberta"}, "model_type bert, got 'roberta'"),
        ({"hidden_size": None}, "expected hidden_size"),
        ({"position_embedding_type": "relative_key"}, "absolute positions"),
        ({"hidden_act": "tanh"}, "hidden_act from"),
        ({"num_attention_heads": 5}, "num_attention_heads: expected a divisor"),
        ({"intermediate_size": 37}, r"intermediate.dense.weight: expected shape \(37, 24\)"),
        ({"num_hidden_layers": 4}, "the name encoder.layer.3"),
    ],
)
def test_other_models_are_refused_in_one_sentence(bert, change, words):
    with pytest.raises(ValueError, match=words):
        load_bert(bert.state_dict(), {**bert.config.to_dict(), **change})
