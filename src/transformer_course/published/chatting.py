"""`python -m transformer_course chat` and `similar`: the library's blocks with weights that the world uses.

The models come with packages (``packages``), or lie in a folder or a file as they are published.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import torch
from tqdm import tqdm

from transformer_course.published.byte_tokenizer import ModelText
from transformer_course.published.files import GPT2Text, read_json, read_weights
from transformer_course.published.gguf_file import TextModel, read_gguf
from transformer_course.published.llama_model import load_llama
from transformer_course.published.modern_language_model import Writer
from transformer_course.published.packages import HOW_TO_INSTALL, SMOLLM2, WHAT_IT_BRINGS, load_minilm, load_smollm2
from transformer_course.published.packages import installed as path_of

NUM_TOKENS = 400  # of an answer, at most
MISSING = f"the model comes with a package that is not installed: {HOW_TO_INSTALL} brings {WHAT_IT_BRINGS}"
SMALL = "It is small, knows little and is often wrong. Ctrl-C ends an answer; an empty line, or Ctrl-D, the chat."


class Conversation:
    """Questions and answers, with what has been read of them kept.

    Args:
        found: a model and its text.
        system: what the model is told first; None leaves what its form of a chat says.
    """

    def __init__(self, found: TextModel, system: str | None = None):
        self.text, self.writer = found.text, Writer(found.model)
        self.messages = [] if system is None else [{"role": "system", "content": system}]

    def answer(
        self,
        question: str,
        num_tokens: int = NUM_TOKENS,
        temperature: float = 0.6,
        top_p: float | None = 0.9,
        generator: torch.Generator | None = None,
    ) -> Iterator[str]:
        """Ask, and hand out the answer piece by piece. Whoever stops in the middle can go on with another question.

        Args:
            question: what is asked.
            num_tokens: of the answer, at most.
            temperature: as in ``sample_token``, like the following.
            top_p: as in ``sample_token``.
            generator: as in ``sample_token``.

        Yields:
            The pieces of the answer.
        """
        self.messages.append({"role": "user", "content": question})
        tokens = self.text.encode(self.text.render(self.messages))
        said: list[str] = []
        try:
            written = self.writer.write(tokens, num_tokens, self.text.end_ids, temperature, top_p, generator)
            for piece in self.text.stream(written):
                said.append(piece)
                yield piece
        finally:
            self.messages.append({"role": "assistant", "content": "".join(said)})


def chat(options: argparse.Namespace) -> None:
    """Talk with a model: one question from the command line, or questions from the keyboard."""
    if options.weights is None and path_of(SMOLLM2) is None:
        raise ValueError(MISSING)
    print(f"Loading {options.weights or 'SmolLM2-135M-Instruct'} ...", file=sys.stderr)
    found = load_text_model(options.weights, lambda tensors: tqdm(tensors, unit=" tensors", leave=False))
    generator = torch.Generator()
    generator.seed() if options.seed is None else generator.manual_seed(options.seed)
    conversation = Conversation(found, options.system)
    how = (options.length, options.temperature, options.top_p, generator)
    if options.question:
        _say(conversation.answer(options.question, *how))
        return
    print(f"{found.name}. {SMALL}", file=sys.stderr)
    for question in _questions():
        try:
            _say(conversation.answer(question, *how))
        except ValueError as error:  # such as a conversation that has become too long
            print(f"{error}\nThe conversation begins anew.", file=sys.stderr)
            conversation = Conversation(found, options.system)


def similar(options: argparse.Namespace) -> None:
    """Sort sentences by their meaning: the nearest to the first one first."""
    first, *others = options.sentences or [line.strip() for line in sys.stdin if line.strip()] or [""]
    if not first or not others:
        raise ValueError("sentences: expected at least two, the first of which the others are compared with")
    print("Loading all-MiniLM-L6-v2 ...", file=sys.stderr)
    vectors = load_minilm().vectors([first, *others])
    order = sorted(zip((vectors[1:] @ vectors[0]).tolist(), others, strict=True), reverse=True)
    for cosine, sentence in order:
        print(f"{cosine:5.2f}  {sentence}")


def load_text_model(weights: Path | None, watch=iter) -> TextModel:
    """Load the model of a file or a folder, or that of the package.

    Args:
        weights: a GGUF file, or a folder with safetensors, config.json and tokenizer.json; None takes SmolLM2.
        watch: hands on the tensors of a file as they are read.

    Raises:
        ValueError: if there is no model, or none that the course's blocks are.
    """
    if weights is None:
        return load_smollm2(watch)
    if not weights.is_dir():
        return read_gguf(weights, watch)
    model = load_llama(*read_weights(weights))
    more = read_json(weights / "tokenizer_config.json") if (weights / "tokenizer_config.json").is_file() else {}
    template = weights / "chat_template.jinja"
    form = template.read_text(encoding="utf-8") if template.is_file() else more.get("chat_template")
    tokenizer = GPT2Text(weights).tokenizer
    end = more.get("eos_token")
    ends = {tokenizer.token_to_id(end["content"] if isinstance(end, dict) else end)} if end else set()
    return TextModel(model, ModelText(tokenizer, ends - {None}, form), weights.name)


def _say(pieces: Iterable[str]) -> None:
    """Print an answer as it comes; Ctrl-C ends it."""
    try:
        for piece in pieces:
            print(piece, end="", flush=True)
    except KeyboardInterrupt:
        print(" ...", end="")
    finally:
        if hasattr(pieces, "close"):
            pieces.close()
    print()


def _questions() -> Iterator[str]:
    while True:
        try:
            question = input("\n> " if sys.stdin.isatty() else "").strip()
        except (EOFError, KeyboardInterrupt):
            print()
            return
        if not question:
            return
        yield question


def add_commands(commands: Any) -> None:
    """Add ``chat`` and ``similar`` to the commands of the command line."""
    command = commands.add_parser("chat", help="talk with SmolLM2, 135 million weights in the course's blocks")
    command.set_defaults(command=chat)
    command.add_argument("question", nargs="?", help="what to ask; without it, questions come from the keyboard")
    command.add_argument("--weights", type=Path, help="a GGUF file, or a folder as the hubs have it; else SmolLM2")
    command.add_argument("--system", help="what the model is told first")
    command.add_argument("--length", type=int, default=NUM_TOKENS, help="tokens of an answer (default: %(default)s)")
    command.add_argument("--temperature", type=float, default=0.6, help="0 is the most probable (default: %(default)s)")
    command.add_argument("--top-p", type=float, default=0.9, help="as in generate (default: %(default)s)")
    command.add_argument("--seed", type=int, help="the same seed gives the same answers")
    command.add_argument("--threads", type=int, default=1, help="CPU threads (default: %(default)s)")

    command = commands.add_parser("similar", help="compare sentences by their meaning, with MiniLM")
    command.set_defaults(command=similar, threads=1)
    command.add_argument("sentences", nargs="*", help="the first one is compared with the others; else lines are read")
