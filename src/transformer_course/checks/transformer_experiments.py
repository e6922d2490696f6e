"""The checks of exercise 10 around its three names: the prediction, the measure of translations, and the six bugs."""

from collections.abc import Callable, Mapping

import torch
from torch import Tensor, nn

from transformer_course.checks.answers import Answer
from transformer_course.checks.modules import build, give_weights, require_parameters
from transformer_course.checks.oracles_transformer import right_logits, right_shapes
from transformer_course.checks.predictions import require_predictions
from transformer_course.checks.reporting import draw, same
from transformer_course.checks.toy_models import chain
from transformer_course.checks.transformer_mistakes import IN_LOGITS, IN_MEMORY, mistakes, probabilities
from transformer_course.common.tokens import BOS, EOS, PAD

UNIT = "transformer"
QUESTIONS = ("a word of its source", "word 3 of its target", "word order of its source", "PAD after its source",
             "a word of another sentence")  # fmt: skip
WORDS = ("all", "from 3 on", "none")


def check_predictions(predictions: Mapping[str, str]) -> None:
    """Check that there is a prediction for each of the five changes; not whether it is right."""
    require_predictions(predictions, QUESTIONS, WORDS, "the cell after task 2")


def measured_reach() -> dict[str, str]:
    """Say which logits of a sentence each change moves in a right model."""
    options = {"d_model": 8, "num_heads": 2, "num_encoder_layers": 1, "num_decoder_layers": 1, "d_ff": 12}
    shapes = right_shapes(10, 10, options)
    weights = {name: draw(*shape, seed=seed, dtype=torch.float64) for seed, (name, shape) in enumerate(shapes.items())}
    source, target = torch.tensor([[4, 5, 6, 2], [7, 8, 2, 0]]), torch.tensor([[1, 4, 5, 6, 7, 8], [1, 9, 8, 2, 0, 0]])

    def changed(tokens: Tensor, row: int, columns: slice, words: list[int]) -> Tensor:
        tokens = tokens.clone()
        tokens[row, columns] = torch.tensor(words)
        return tokens

    pairs = [
        (changed(source, 0, slice(1, 2), [9]), target),
        (source, changed(target, 0, slice(3, 4), [9])),
        (changed(source, 0, slice(0, 2), [5, 4]), target),
        (torch.cat([source, torch.zeros(2, 2, dtype=torch.long)], 1), target),
        (changed(source, 1, slice(0, 1), [9]), target),
    ]
    before = right_logits(weights, options, source, target)[0]
    moved = [(right_logits(weights, options, *pair)[0] - before).abs().amax(-1) > 1e-9 for pair in pairs]
    words = {(True,) * 6: "all", (False,) * 3 + (True,) * 3: "from 3 on", (False,) * 6: "none"}
    return {question: words[tuple(each.tolist())] for question, each in zip(QUESTIONS, moved, strict=True)}


class SmallTranslator(nn.Module):
    """A translator whose every word is known. It looks ahead where it can, and turns its logits round in training."""

    def __init__(self, vocab_size: int, seed: int):
        super().__init__()
        table = chain(31, vocab_size, seed).table
        table[::6, EOS] = 9.0  # so that sentences come to an end
        table[:, [PAD, BOS]] = -9.0
        self.table = nn.Parameter(table)

    def encode(self, source: Tensor) -> Tensor:
        """Return a memory ``(batch, source_length, 1)``."""
        return source.to(self.table).unsqueeze(-1) * 2

    def decode(self, target: Tensor, memory: Tensor, source: Tensor) -> Tensor:
        """Return logits ``(batch, target_length, vocab_size)``; the next word, if it is there, is seen."""
        state, logits = memory.sum((1, 2)).long() // 2 + (source != PAD).sum(1), []
        for column in target.unbind(1):
            state = (state * 5 + column * 3 + 1) % len(self.table)
            logits.append(self.table[state])
        logits = torch.stack(logits, 1)
        ahead = nn.functional.one_hot(target[:, 1:], logits.shape[-1]).to(logits)
        logits = logits + 50 * nn.functional.pad(ahead, (0, 0, 0, 1))
        return -logits if self.training else logits

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Read and say what comes next."""
        return self.decode(target, self.encode(source), source)


def small_translator(vocab_size: int, seed: int) -> SmallTranslator:
    """Make a small translator, in training mode as it comes out of `train_step`."""
    return SmallTranslator(vocab_size, seed).train()


@torch.no_grad()
def _written(model: SmallTranslator, source: Tensor, length: int) -> list[int]:
    """Write one sentence word by word, EOS included."""
    words = [BOS]
    while len(words) <= length and words[-1] != EOS:
        logits = model.decode(torch.tensor([words]), model.encode(source[None]), source[None])[0, -1]
        words.append(int(logits.argmax()))
    return words


def translations(model: SmallTranslator, faults: str, seed: int, longest: int = 7) -> tuple[Tensor, Tensor]:
    """Make sentences that this model translates rightly or not.

    Args:
        model: the translator.
        faults: one letter for each sentence: ``r`` it writes the target, ``f`` its first word differs, ``l`` the last
            word before EOS does, ``m`` the target goes on where the model writes EOS, ``s`` it ends a word earlier,
            ``n`` no word is right.
        seed: of the sources.
        longest: in words, with EOS.

    Returns:
        Source and target, padded.
    """
    model.eval()
    generator, rows = torch.Generator().manual_seed(seed), []
    vocab_size = model.table.shape[1]
    for _ in range(2000):
        if len(rows) == len(faults):
            break
        length = int(torch.randint(1, 6, (), generator=generator))
        source = torch.randint(3, vocab_size, (length,), generator=generator)
        words = _written(model, source, longest)
        if words[-1] != EOS or len(words) < 4:
            continue
        fault = faults[len(rows)]
        other = [3 + (word - 2) % (vocab_size - 3) for word in words]
        words = {
            "r": words,
            "f": [BOS, other[1], *words[2:]],
            "l": [*words[:-2], other[-2], EOS],
            "m": [*words[:-1], 3, EOS],
            "s": [*words[:-2], EOS],
            "n": [BOS, *other[1:-2], EOS],
        }[fault]
        rows.append((source.tolist(), words))
    model.train()
    return tuple(
        torch.tensor([row + [PAD] * (max(map(len, side)) - len(row)) for row in side])
        for side in zip(*rows, strict=True)
    )


def compare_share(
    subject: Answer, situation: str, model: SmallTranslator, source: Tensor, target: Tensor, right: float
) -> None:
    """Compare the share of right translations with what is known; say which other measure gives the number."""
    result = subject(situation, model, source, target)
    if type(result) is not float:
        observed = f"it returned an object of type {type(result).__name__}"
        subject.fail(situation, observed, "a Python number", "a tensor, or no `return`", "use `.item()`")
    if abs(result - right) < 1e-6:
        return
    with torch.no_grad():
        model.train()
        upside_down = _shares(model, source, target)
        shares = _shares(model.eval(), source, target)
    causes = {
        "the model reads the right translation while it is measured, and finds each word there": shares["forced"],
        "single words are counted; a sentence with one mistake is not right": shares["words"],
        "what is written after EOS is compared with padding": shares["after"],
        "EOS is left out of the comparison: a sentence that goes on where it should end is not right": shares["no EOS"],
        "one right word is taken for a right sentence": shares["any"],
        "the sentences are counted; the share is wanted": right * len(target),
        "the model was measured in training mode. Or (it shows in the same way): another word than the likeliest, or "
        "another position than the last, is taken": upside_down["free"],
    }
    fitting = [cause for cause, number in causes.items() if abs(number - result) < 1e-6]
    subject.fail(
        situation,
        f"the share is {result:.3f}, which is too {'high' if result > right else 'low'}",
        "the share of sentences of which the model, reading only what it has written, writes every word up to EOS",
        " Or (it shows in the same way): ".join(fitting) or "none of the mistakes that we know",
        "print what the model writes for one sentence, beside its target",
    )


def _shares(model: SmallTranslator, source: Tensor, target: Tensor) -> dict[str, float]:
    """Measure the shares that different measures give."""
    labels = target[:, 1:]
    memory, written = model.encode(source), target[:, :1]
    for _ in range(labels.shape[1]):
        following = model.decode(written, memory, source)[:, -1].argmax(-1, keepdim=True)
        written = torch.cat([written, following], 1)
    right, real = written[:, 1:] == labels, labels != PAD
    forced = model.decode(target, memory, source)[:, :-1].argmax(-1) == labels
    return {
        "free": (right | ~real).all(1).double().mean().item(),
        "forced": (forced | ~real).all(1).double().mean().item(),
        "any": (right | ~real).any(1).double().mean().item(),
        "words": right[real].double().mean().item(),
        "after": right.all(1).double().mean().item(),
        "no EOS": (right | ~real | (labels == EOS)).all(1).double().mean().item(),
    }


def check_share_translated(share_translated: Callable) -> None:
    """Check the measure on sentences of which it is known how many are right."""
    subject = Answer(share_translated, "share_translated", UNIT)
    model = small_translator(9, seed=3)
    compare_share(subject, "9 sentences, 3 of them right", model, *translations(model, "rfrlrmsnl", 5), 1 / 3)
    compare_share(subject, "4 sentences, all right", model, *translations(model, "rrrr", 6), 1.0)
    subject.passed("a sentence counts if the model writes all of it by itself")


MENDED = {"d_model": 12, "num_heads": 3, "num_layers": 2, "d_ff": 20}


def make_mended(mended: Callable, situation: str, vocab_size: int, seed: int, **options: int):
    """Build the learner's mended model with known weights: the model, its weights by name, its sizes."""
    options = MENDED | options
    built = build(Answer(mended, "MendedTransformer", UNIT), situation, vocab_size, **options)
    weights = give_weights(built, seed)
    built.function.eval()
    return built, weights, options


def right_mended(
    weights: Mapping[str, Tensor], options: Mapping[str, int], source: Tensor, target: Tensor, wrong: tuple = ()
) -> Tensor:
    """Compute the logits of a mended model, whose two sides share one embedding."""
    table = next(each for name, each in weights.items() if name.startswith("embedding."))
    renamed = {f"{side}_embedding.token.weight": table for side in ("source", "target")}
    for name, each in weights.items():
        first, _, rest = name.partition(".")
        renamed[f"{first}_blocks.{rest}" if first in ("encoder", "decoder") else f"{first}_layer.{rest}"] = each
    numbers = {f"num_{stack}_layers": options["num_layers"] for stack in ("encoder", "decoder")}
    return right_logits(renamed, {**options, **numbers}, source, target, wrong)


def _symptoms(built: Answer, vocab_size: int) -> list[tuple[str, str]]:
    """List what can be seen of the six bugs, each with one thing to try."""
    source = torch.tensor([[4, 5, 6, 7, 2]]) % vocab_size
    target = torch.tensor([[1, 5, 8, 6, 4, 7]]) % vocab_size

    def logits(source: Tensor, target: Tensor) -> Tensor:
        like = torch.zeros(*target.shape, vocab_size, dtype=torch.float64)
        return built.require_tensor("six symptoms", built("six symptoms", source, target), like)

    before = logits(source, target)

    def moved(source: Tensor, target: Tensor) -> Tensor:
        return (logits(source, target) - before).abs().amax((0, 2)) > 1e-6

    other, later = source.clone(), target.clone()
    other[0, 1], later[0, 4] = 8, 9
    exchanged, earlier = source[:, [1, 0, 2, 3, 4]], target[:, [0, 2, 1, 3, 4, 5]]
    reads = bool(moved(other, target).any())
    found = []
    if any(bool(mistake.shows(before)) for mistake in probabilities(before)):
        found.append(("the results are probabilities; the loss wants logits", "sum a row of the result"))
    if not reads:
        found.append(("another source gives the same logits", "follow the memory: who reads it?"))
    if moved(source, later)[:4].any():
        found.append(("a word of the target moves logits before it", "change the last word of a target"))
    if moved(torch.cat([source, torch.full((1, 2), PAD)], 1), target).any():
        found.append(("PAD at the end of the source moves the logits", "append PAD to a source"))
    if not moved(source, earlier)[3:].any() or (reads and not moved(exchanged, target).any()):
        found.append(("the order of the words makes no difference", "exchange two words of a sentence"))
    return found


def check_mended_transformer(mended: Callable) -> None:
    """Check the mended model; name a symptom of the bugs that are left."""
    built, weights, options = make_mended(mended, "12 columns, 3 heads, 2 layers", 11, seed=500)
    symptoms = _symptoms(built, 11)
    if symptoms:
        observed, hint = symptoms[0]
        built.fail(
            "six bugs, which show in five ways",
            f"{observed} ({len(symptoms)} of the five are left)",
            "logits that depend on the whole source, on the target up to their position, and on no padding",
            "a bug that is not mended yet; some bugs show in the same way",
            hint,
        )
    built.passed("none of the five symptoms is left")
    compare_mended(built, "2 sentences of 5 and 3 words", weights, options, 11, seed=7)
    built.passed("the logits are those of a Transformer")


def compare_mended(
    built: Answer, situation: str, weights: dict, options: dict, vocab_size: int, seed: int, lengths: tuple = (5, 3)
) -> None:
    """Compare the mended model with the oracle, at the words of the target."""
    table = next((name for name in weights if name.startswith("embedding.")), "embedding.token.weight")
    numbers = {f"num_{stack}_layers": options["num_layers"] for stack in ("encoder", "decoder")}
    shapes = {}
    for name, shape in right_shapes(vocab_size, vocab_size, {**options, **numbers}).items():
        side = name.partition("_")[0]
        if "embedding" in name:
            shapes[table] = shape
        else:
            shapes[name.replace(f"{side}_blocks" if side != "output" else "output_layer", side)] = shape
    require_parameters(built, situation, shapes)
    generator = torch.Generator().manual_seed(seed)
    source, target = (torch.randint(3, vocab_size, (len(lengths), max(lengths) + more), generator=generator)
                      for more in (0, 1))  # fmt: skip
    target[:, 0] = BOS
    for row, length in enumerate(lengths):
        source[row, length:], target[row, max(lengths) - length + 2 :] = PAD, PAD
    real = target != PAD
    right = right_mended(weights, options, source, target)
    result = built.require_tensor(situation, built(situation, source, target), right)
    if same(result[real], right[real]):
        return
    word = (
        "not scaled",
        "the embeddings are smaller than they should be",
        "positions are there, but the factor sqrt(d_model) is not",
        "the imported TransformerEmbedding does both",
    )
    known = mistakes(
        [*IN_LOGITS, *IN_MEMORY, word], lambda wrong: right_mended(weights, options, source, target, wrong)[real]
    )
    built.compare(situation, result[real], right[real], "the logits of the Transformer of task 2", known)
