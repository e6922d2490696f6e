"""What the command line does with published weights: `generate --weights FOLDER` and `translate --weights FOLDER`."""

import argparse
import sys
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from transformer_course.decoding import translate
from transformer_course.generation.cached_generation import generate_cached
from transformer_course.published.files import GPT2Text, MarianText, read_weights
from transformer_course.published.pretrained import load_gpt2, load_marian

NUM_TOKENS = 100  # written if nothing else is said
MAX_LENGTH = 200  # of a translation


def generate_published(options: argparse.Namespace) -> None:
    """Go on with a text, with a GPT-2."""
    state, config = _read(options.weights, "gpt2", "GPT-2")
    text = GPT2Text(options.weights)
    model = load_gpt2(state, config.get("n_head")).to(options.device)
    prompt = torch.tensor([text.encode(options.prompt)], dtype=torch.long, device=options.device)  # (1, length)
    generator = torch.Generator(options.device)
    generator.seed() if options.seed is None else generator.manual_seed(options.seed)
    length = NUM_TOKENS if options.length is None else options.length
    how = (options.temperature, options.top_k, options.top_p, generator)
    written = generate_cached(model, prompt, length, *how)[0].tolist()
    end = config.get("eos_token_id")
    if end in written[prompt.shape[1] :]:
        written = written[: written.index(end, prompt.shape[1])]
    print(text.decode(written))


def translate_published(options: argparse.Namespace) -> None:
    """Translate what is typed in, with a Marian."""
    if options.attention:
        raise ValueError("attention: expected no drawing with --weights, which come with another vocabulary")
    state, config = _read(options.weights, "marian", "Marian")
    text = MarianText(options.weights, config)
    model = load_marian(state, config).to(options.device)
    sentences = [options.sentence] if options.sentence else (line.strip() for line in sys.stdin)
    for sentence in sentences:
        if sentence:
            source = torch.tensor([text.encode(sentence)], dtype=torch.long, device=options.device)
            longest = min(MAX_LENGTH, model.max_length)
            print(text.decode(translate(model, source, longest, options.beam_width)[0].tolist()))


def _read(folder: Path, kind: str, name: str) -> tuple[dict[str, Tensor], dict[str, Any]]:
    state, config = read_weights(folder)
    if config.get("model_type") != kind:
        raise ValueError(f"weights: expected a {name} in {folder}, got a model of type {config.get('model_type')!r}")
    return state, config
