"""Text to tokens and back, as a published model of language does it, and the form in which it was taught to chat.

Sources: Radford et al. (2019), "Language Models are Unsupervised Multitask Learners", section 2.2 (pairs of bytes).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

from transformer_course.published.files import needed

# How text is cut before pairs are joined. SmolLM2 sees each digit alone; Qwen cuts words with its own expression.
QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)
CUTS = {
    "gpt-2": lambda: pre_tokenizers.ByteLevel(add_prefix_space=False),
    "smollm": lambda: pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    ),
    "qwen2": lambda: pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(QWEN), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    ),
}
UNFINISHED = "\ufffd"  # what stands for bytes that are no character yet


def byte_tokenizer(
    tokens: Sequence[str], merges: Sequence[str], special: Iterable[int], cut: str = "gpt-2"
) -> Tokenizer:
    """Make a tokenizer of byte pairs from its table of tokens.

    Args:
        tokens: in the order of their ids, as strings of the 256 characters that stand for bytes.
        merges: pairs that are joined, the first ones first, each with a space between its halves.
        special: ids of tokens that text is not cut into, such as the end of a turn.
        cut: how text is cut before: a name in ``CUTS``.

    Returns:
        The tokenizer.

    Raises:
        ValueError: if the way of cutting is another one, or a pair is none.
    """
    if cut not in CUTS:
        raise ValueError(f"tokenizer: expected to cut text as one of {', '.join(CUTS)}, got {cut!r}")
    pairs = [tuple(merge.split(" ")) for merge in merges]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("tokenizer: expected two halves in each pair of bytes, got another number")
    try:
        tokenizer = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, pairs))
    except Exception as error:  # the package raises errors of its own kind
        raise ValueError(f"tokenizer: the table of tokens cannot be used: {error}") from None
    tokenizer.pre_tokenizer = CUTS[cut]()
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(tokens[i], normalized=False, special=True) for i in special])
    return tokenizer


class ModelText:
    """Turn text into the ids of a model, ids into text, and a conversation into what the model was taught to read.

    Args:
        tokenizer: of the package ``tokenizers``.
        end_ids: tokens that end an answer.
        template: how a conversation is written, in the language of Jinja; None if the model was taught none.
    """

    def __init__(self, tokenizer: Tokenizer, end_ids: Iterable[int], template: str | None = None):
        self.tokenizer, self.end_ids, self.template = tokenizer, frozenset(end_ids), template

    def encode(self, text: str) -> list[int]:
        """Turn text into ids."""
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def decode(self, ids: Iterable[int]) -> str:
        """Turn ids into text; special tokens are shown."""
        return self.tokenizer.decode(list(ids), skip_special_tokens=False)

    def stream(self, ids: Iterable[int]) -> Iterator[str]:
        """Turn ids into text as they come; bytes of a character wait for each other.

        A text that ends in the middle of a character ends with a sign for that.
        """
        waiting: list[int] = []
        for each in ids:
            waiting.append(each)
            piece = self.decode(waiting)
            if not piece.endswith(UNFINISHED):
                waiting = []
                yield piece
        if waiting:
            yield self.decode(waiting)

    def render(self, messages: Sequence[Mapping[str, str]]) -> str:
        """Write a conversation as the model was taught it, up to where its answer begins.

        The form comes with the model, so it is written in a sandbox.

        Args:
            messages: each with a ``role`` (``"system"``, ``"user"``, ``"assistant"``) and its ``content``.

        Raises:
            ValueError: if the model was taught none, or the form cannot be used.
        """
        if not self.template:
            raise ValueError("template: expected a model that was taught to chat, got one without a form for it")
        jinja = needed("jinja2.sandbox", "the form of a conversation")
        environment = jinja.ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
        try:
            return environment.from_string(self.template).render(messages=messages, add_generation_prompt=True)
        except Exception as error:  # a template of somebody else, which may do anything wrong
            raise ValueError(f"template: the model's form of a conversation cannot be used: {error}") from None
