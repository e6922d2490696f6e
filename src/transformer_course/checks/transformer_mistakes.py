"""The known mistakes of exercise 10, each with the word under which the oracle computes what it leads to."""

from collections.abc import Callable, Sequence

from torch import Tensor

from transformer_course.checks.modules import WrongParameters
from transformer_course.checks.reporting import Mistake, same

READ = "write down which tensor goes into which argument, line by line, and compare with the figure of the paper"
# What a mistake is called in the oracle; what is to be seen; the likely cause; one thing to try.
IN_MEMORY = [
    (
        "encoder sees padding",
        "the memory depends on padding in the source",
        "no padding mask in the encoder",
        "encode a sentence with and without three PAD at its end, and compare the words",
    ),
    (
        "encoder looks back only",
        "a word of the source does not see the words after it",
        "a causal mask in the encoder: only the decoder must not look ahead",
        "change the last word of a source, and see whether the memory of the first one moves",
    ),
    (
        "no positions",
        "the memory does not know the order of the words",
        "tokens are looked up in a table alone, without positions",
        "the imported TransformerEmbedding scales and adds positions: call it, not its table",
    ),
    (
        "encoder mask negated",
        "words see padding, and nothing else",
        "the padding mask is negated; True means: may be attended to",
        "print the mask of a sentence with two PAD",
    ),
    (
        "encoder order",
        "the norms of the encoder's blocks stand in the other order",
        "`norm_first` does not reach the blocks",
        "follow `norm_first` from `__init__` to the blocks",
    ),
    ("encoder backwards", "the blocks come in the wrong order", "a list of blocks that is read from its end", READ),
    (
        "only the first encoder block",
        "the memory comes from the first block",
        "a loop that calls one block only, or a `return` inside the loop",
        READ,
    ),
    (
        "no encoder norm",
        "the last norm of the encoder is missing",
        "encoder_norm exists, but nothing calls it",
        "with norm_first the sum of all sublayers leaves the stack as it is: where is it normalised?",
    ),
]
IN_LOGITS = [
    (
        "future seen",
        "a position of the target sees those after it",
        "no causal mask in the decoder, or the padding mask in its place",
        "change the last word of a target, and see which logits move",
    ),
    (
        "causal mask turned",
        "a position of the target sees itself and what comes after it",
        "the causal mask is transposed; True means: may be attended to",
        "print the mask for three words, and read its first row",
    ),
    (
        "causal mask negated",
        "a position of the target sees what comes after it, and nothing else",
        "the causal mask is negated; True means: may be attended to",
        "print the mask for three words, and read its first row",
    ),
    (
        "decoder order",
        "the norms of the decoder's blocks stand in the other order",
        "`norm_first` does not reach the blocks",
        "follow `norm_first` from `__init__` to the blocks",
    ),
    (
        "decoder sees padding",
        "the logits depend on padding in the source",
        "the decoder's blocks get no mask for the memory (`memory_mask`)",
        "append three PAD to a source, and see whether the logits move",
    ),
    (
        "target's mask for the memory",
        "the memory is masked where the target has its padding",
        "the mask for the memory is made from `target`: the keys are words of the source",
        "whose words are the keys in cross-attention?",
    ),
    (
        "causal mask for the memory",
        "the first words of the target see the beginning of the source only",
        "the causal mask is used for the memory too",
        "the whole source is known before the first word is written",
    ),
    (
        "memory of the same layer",
        "each block of the decoder reads what the same block of the encoder said",
        "a memory for each layer; every block of the decoder reads what the whole encoder says",
        "the memory is one tensor, the last one",
    ),
    (
        "memory is the embedding",
        "the decoder reads embeddings in the place of the memory",
        "`forward` does not hand on what `encode` returns",
        "decode(target, encode(source), source) is all that `forward` does",
    ),
    (
        "no positions",
        "the model does not know the order of the words",
        "tokens are looked up in a table alone, without positions",
        "the imported TransformerEmbedding scales and adds positions: call it, not its table",
    ),
    (
        "no positions in target_embedding",
        "the decoder does not know the order of its words",
        "the target's tokens are looked up in a table alone, without positions",
        "the imported TransformerEmbedding scales and adds positions: call it, not its table",
    ),
    ("decoder backwards", "the blocks come in the wrong order", "a list of blocks that is read from its end", READ),
    (
        "only the first decoder block",
        "the logits come from the first block",
        "a loop that calls one block only, or a `return` inside the loop",
        READ,
    ),
    (
        "no decoder norm",
        "the last norm of the decoder is missing",
        "decoder_norm exists, but nothing calls it",
        "with norm_first the sum of all sublayers leaves the stack as it is: where is it normalised?",
    ),
]


def mistakes(table: Sequence[tuple], compute: Callable[[tuple[str, ...]], Tensor | None]) -> list[Mistake]:
    """Compute what each mistake of a table leads to; those that cannot be made here, or change nothing, are left out.

    Args:
        table: `IN_MEMORY` or `IN_LOGITS`.
        compute: takes the words of mistakes and gives the result; without words, the right one.
    """
    right, found = compute(()), []
    for word, observed, cause, hint in table:
        try:
            result = compute((word,))
        except RuntimeError:  # shapes that do not fit
            continue
        if not same(result, right):
            found.append(Mistake(result, observed, cause, hint))
    return found


def other_settings(compute: Callable[[dict], Tensor], heads: int, pad_id: int) -> list[Mistake]:
    """What comes out if an argument of the constructor does not reach its place."""
    found = []
    if heads != 1:
        found.append(
            ({"num_heads": 1}, "the blocks have another number of heads", "`num_heads` does not reach the blocks")
        )
    if pad_id:
        found.append(({"pad_id": 0}, "token 0 counts as padding", "`pad_id` does not reach the masks"))
    hint = "follow the argument from `__init__` to its use"
    return [Mistake(compute(options), observed, cause, hint) for options, observed, cause in found]


def probabilities(x: Tensor) -> list[Mistake]:
    """The marks of softmax, and of its logarithm, at the end."""
    hint = "the loss applies softmax itself: return what the output layer says"

    def sums_to_one(observed: Tensor) -> bool:
        return bool((observed.sum(-1) - 1).abs().max() < 1e-6)

    return [
        Mistake(
            sums_to_one,
            "the result holds probabilities: each row sums to 1",
            "softmax at the end; logits are wanted",
            hint,
        ),
        Mistake(
            lambda observed: bool((observed <= 0).all()) and sums_to_one(observed.exp()),
            "the result holds logarithms of probabilities",
            "log_softmax at the end; logits are wanted",
            hint,
        ),
    ]


def wrong_parameters(norm_first: bool) -> list[WrongParameters]:
    """Known ways to other parameters than the task's."""

    def stacked(found, stack: str) -> bool:
        return any(name.startswith(f"{stack}_blocks.") for name in found)

    one_object = WrongParameters(
        lambda found: any(
            stacked(found, stack) and not any(name.startswith(f"{stack}_blocks.1.") for name in found)
            for stack in ("encoder", "decoder")
        ),
        "the stack holds one block only: the same object several times, as `[block] * 3` makes it, shares its weights",
        "make a new block in each turn of the loop",
    )
    plain_list = WrongParameters(
        lambda found: not stacked(found, "encoder") or not stacked(found, "decoder"),
        "a plain list, which nn.Module does not look into; or another name than encoder_blocks and decoder_blocks",
        "`nn.ModuleList(...)` holds modules that the model shall know of",
    )
    no_cross = WrongParameters(
        lambda found: stacked(found, "decoder") and not any("cross_attention" in name for name in found),
        "the decoder is made of encoder blocks: they have no cross-attention, and cannot read the memory",
        "which of the imported blocks reads a memory?",
    )
    cross_in_encoder = WrongParameters(
        lambda found: any(name.startswith("encoder_blocks") and "cross_attention" in name for name in found),
        "the encoder is made of decoder blocks",
        "which of the imported blocks reads a memory?",
    )
    last_norm = WrongParameters(
        lambda found: ("encoder_norm.weight" in found) != norm_first or ("decoder_norm.weight" in found) != norm_first,
        "the last norms: with norm_first one after each stack is missing, or (it shows in the same way) without it one "
        "is too many",
        "print the model with norm_first=True and with norm_first=False",
    )
    no_bias = WrongParameters(
        lambda found: "output_layer.weight" in found and "output_layer.bias" not in found,
        "the output layer has no bias",
        "the task's output layer is a plain nn.Linear",
    )
    return [no_cross, cross_in_encoder, one_object, plain_list, last_norm, no_bias]
