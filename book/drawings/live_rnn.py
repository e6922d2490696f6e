"""The live figure of chapter 03: a recurrent translator whose weights one can move."""

import base64
from collections.abc import Sequence

import torch

from drawings.live_figure import LiveFigure
from experiments.looks.scored_attention import ScoredTranslator
from transformer_course.common.tokens import BOS, EOS, Vocabulary


def rnn_translator(
    model: ScoredTranslator,
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    sentences: Sequence[str],
    position: int,
) -> LiveFigure:
    """Show a small recurrent translator at work; the page computes with its weights.

    Source: Luong et al. (2015), section 3.1, with the score "dot" and without input feeding.

    Args:
        model: with the score "dot", its weights numbers of 16 bits.
        source_vocabulary: the English words.
        target_vocabulary: the French words.
        sentences: to choose from; words with spaces between them.
        position: of the French word in the first sentence that is chosen when the figure opens.

    Returns:
        The figure; without JavaScript it shows what the model writes for the first sentence.

    Raises:
        ValueError: if the model has another score, a weight does not fit into 16 bits, or a word is unknown.
    """
    if model.kind != "dot":
        raise ValueError(f"model: expected one with the score 'dot', got {model.kind!r}")
    if any(not torch.equal(tensor, tensor.half().float()) for tensor in model.state_dict().values()):
        raise ValueError("model: expected weights of 16 bits; `experiments.weights` stores such models")
    unknown = {word for sentence in sentences for word in sentence.split()} - set(source_vocabulary.words)
    if unknown:
        raise ValueError(f"sentences: expected words of the vocabulary, got {', '.join(sorted(unknown))}")
    parts = [[name, *parameter.shape] for name, parameter in model.named_parameters()]
    data = b"".join(p.detach().half().numpy().astype("<f2").tobytes() for p in model.parameters())
    source = [*sentences[0].split(), "EOS"]
    return LiveFigure(
        "rnn-translator",
        "A recurrent translator with attention, in this page",
        {
            "sentences": list(sentences),
            "source_words": source_vocabulary.words,
            "target_words": target_vocabulary.words,
            "position": position,
            "parts": parts,
            "weights": base64.b64encode(data).decode(),
        },
        ("French word", *source),
        [(word, *(f"{x:.2f}" for x in weights)) for word, weights in _written(model, source_vocabulary,
                                                                              target_vocabulary, sentences[0])],
        "The rows hold the attention weights with which each French word was written.",
    )  # fmt: skip


@torch.no_grad()
def _written(model, source_vocabulary, target_vocabulary, sentence: str) -> list[tuple[str, list[float]]]:
    source = torch.tensor([[*source_vocabulary.encode(sentence.split()), EOS]])
    target = [BOS]
    while target[-1] != EOS and len(target) < 2 * source.shape[1]:
        target.append(int(model(source, torch.tensor([target]))[0, -1].argmax()))
    weights = model.attention_weights(source, torch.tensor([target[:-1]]))[0].tolist()
    words = ["EOS" if each == EOS else target_vocabulary.words[each] for each in target[1:]]
    return list(zip(words, weights, strict=True))
