"""The command line: `python -m transformer_course train`, `translate`, `evaluate`, `generate`, `caption`, `chat`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import torch

from transformer_course.common.devices import best_device
from transformer_course.common.seeding import seed_everything
from transformer_course.data.text import join_words, split_english
from transformer_course.published.chatting import add_commands
from transformer_course.published.commands import generate_published, translate_published
from transformer_course.training.caption_commands import CAPTIONS_RUN, caption, train_captions
from transformer_course.training.checkpoint import load_checkpoint
from transformer_course.training.config import SCHEDULES, TrainingConfig
from transformer_course.training.distributed import join_process_group
from transformer_course.training.drawing import draw_attention, draw_losses
from transformer_course.training.evaluation import Score, score_translations
from transformer_course.training.ladder.models import MODELS
from transformer_course.training.languages import LANGUAGES, Language, load_language
from transformer_course.training.loop import Trainer
from transformer_course.training.models import build_translator, load_translator
from transformer_course.training.writers import load_writer, train_writer

RUNS = Path("runs")
DEFAULT_RUN = RUNS / "transformer"
LANGUAGE_MODEL = "language"
NUM_CHARACTERS = 500
# What a model trains with if nothing else is said.
LEARNING_RATE, BATCH_TOKENS = {LANGUAGE_MODEL: 4e-3}, {LANGUAGE_MODEL: 512}
SPLITS = ("validation", "test", "longer", "composition")
EXAMPLES = """examples:
  python -m transformer_course train                          the built-in language, about three minutes on a laptop
  python -m transformer_course train --model luong --cpu-seconds 60 --run runs/luong
  python -m transformer_course train --resume                 go on with a run that was stopped
  python -m transformer_course translate "The small cat sees her."
  python -m transformer_course evaluate --split longer
  python -m transformer_course train --language multi30k --dropout 0.1 --batch-tokens 1000 \\
      --cpu-seconds 1200 --run runs/de-en
  python -m transformer_course train --model language         Shakespeare, character by character, three minutes
  python -m transformer_course generate "First Citizen:"
  python -m transformer_course train --model captions         sentences about pictures
  python -m transformer_course caption 7 --attention look.png
  python -m transformer_course generate --weights gpt2 "The cat"          a folder with published weights
  python -m transformer_course translate --weights opus-mt-en-de "I see the cat."
  python -m transformer_course chat "What is the capital of France?"      SmolLM2 in the course's blocks
  python -m transformer_course similar "A cat sleeps." "A kitten naps." "It rains."
  torchrun --nproc-per-node 2 -m transformer_course train --steps 2000
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: the words after the program's name; None takes those of the process.

    Returns:
        0 if all went well, 2 if the input cannot be used.
    """
    options = _parser().parse_args(arguments)
    try:
        if options.threads < 1:
            raise ValueError(f"threads: expected at least 1, got {options.threads}")
        torch.set_num_threads(options.threads)
        options.command(options)
    except (ValueError, OSError) as error:
        print(f"transformer_course: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nstopped; `train --resume` goes on from the last checkpoint", file=sys.stderr)
        return 130
    return 0


def train(options: argparse.Namespace) -> None:
    """Train a model and write `checkpoint.pt` and `loss.svg` into the folder of the run."""
    if options.model == "captions":
        train_captions(options, options.run or CAPTIONS_RUN)
        return
    limits = {"num_steps": options.steps, "cpu_seconds": options.cpu_seconds}
    if options.steps is None and options.cpu_seconds is None:
        limits["cpu_seconds"] = 180.0
    config = TrainingConfig(
        **limits,
        learning_rate=options.learning_rate or LEARNING_RATE.get(options.model, 2e-3),
        schedule=options.schedule,
        warmup_steps=options.warmup_steps,
        smoothing=options.smoothing,
        weight_decay=options.weight_decay,
        micro_batch_tokens=options.batch_tokens or BATCH_TOKENS.get(options.model, 250),
        update_tokens=options.update_tokens,
        seed=options.seed,
    )
    options.run = options.run or (RUNS / LANGUAGE_MODEL if options.model == LANGUAGE_MODEL else DEFAULT_RUN)
    checkpoint = options.run / "checkpoint.pt"
    if checkpoint.exists() and not options.resume:
        raise ValueError(f"run: {checkpoint} exists; go on with --resume, or choose another folder with --run")
    seed_everything(config.seed)
    if options.model == LANGUAGE_MODEL:
        _train_language_model(options, config, checkpoint)
        return
    language = _load_language(options)
    translator = build_translator(
        options.model, language.source_vocabulary, language.target_vocabulary, options.dropout
    )
    with join_process_group(options.device) as process:
        translator.model.to(process.device)
        trainer = Trainer(translator.model, language.examples(), config, process)
        if options.resume:
            trainer.resume(checkpoint)
        losses = trainer.run(checkpoint, extra={**translator.settings(), "language": options.language})
        if not process.is_first:
            return
        draw_losses(losses, options.run / "loss.svg")
        print(f"{len(losses)} updates in {trainer.progress.seconds:.0f} CPU s, last loss {losses[-1]:.3f}")
        print(f"wrote {checkpoint} and {options.run / 'loss.svg'}")
        pairs = language.splits["validation"]
        _report(score_translations(pairs, translator.translate_all([pair.source for pair in pairs])), "validation")


def _train_language_model(options: argparse.Namespace, config: TrainingConfig, checkpoint: Path) -> None:
    unused = {"--smoothing": options.smoothing, "--update-tokens": options.update_tokens, "--data": options.data}
    for name, value in unused.items():
        if value:
            raise ValueError(f"{name[2:]}: expected nothing for a language model, got {value}")
    writer, trainer, nats = train_writer(config, checkpoint, options.device, options.resume, options.dropout)
    losses = trainer.progress.losses
    draw_losses(losses, options.run / "loss.svg")
    print(f"{len(losses)} updates in {trainer.progress.seconds:.0f} CPU s, last loss {losses[-1]:.3f}")
    print(f"wrote {checkpoint} and {options.run / 'loss.svg'}")
    print(f"validation: {nats:.3f} nats a character\n")
    print(writer.write("First Citizen:\n", 200, temperature=0.8, seed=config.seed))


def generate(options: argparse.Namespace) -> None:
    """Go on with a text."""
    if options.weights:
        _require_no_run(options)
        generate_published(options)
        return
    writer = load_writer((options.run or RUNS / LANGUAGE_MODEL) / "checkpoint.pt", options.device)
    length = NUM_CHARACTERS if options.length is None else options.length
    print(writer.write(options.prompt, length, options.temperature, options.top_k, options.top_p, options.seed))


def translate(options: argparse.Namespace) -> None:
    """Translate what is typed in, and draw which word looked at which."""
    if options.weights:
        _require_no_run(options)
        translate_published(options)
        return
    options.run = options.run or DEFAULT_RUN
    checkpoint = options.run / "checkpoint.pt"
    translator = load_translator(checkpoint, options.device)
    is_built_in = load_checkpoint(checkpoint).get("language") == "built-in"
    sentences = [options.sentence] if options.sentence else (line.strip() for line in sys.stdin)
    for sentence in sentences:
        words = split_english(sentence) if is_built_in else sentence.split()
        if not words:
            continue
        unknown = [word for word in words if word not in translator.source_vocabulary]
        if unknown:
            print(f"not in the vocabulary: {', '.join(unknown)}", file=sys.stderr)
        translation = translator.translate([words], options.beam_width)[0]
        print(join_words(translation))
        if options.attention:
            draw_attention(translator, words, translation, options.attention)
            print(f"wrote {options.attention}")


def evaluate(options: argparse.Namespace) -> None:
    """Measure a trained model on sentences that it has not seen."""
    options.run = options.run or DEFAULT_RUN
    translator = load_translator(options.run / "checkpoint.pt", options.device)
    language = _load_language(options)
    if options.split not in language.splits:
        raise ValueError(f"split: expected one of {', '.join(language.splits)}, got {options.split!r}")
    pairs = language.splits[options.split]
    translations = translator.translate_all([pair.source for pair in pairs], options.beam_width)
    _report(score_translations(pairs, translations), options.split)


def _require_no_run(options: argparse.Namespace) -> None:
    if options.run:
        raise ValueError(f"weights: expected either --weights or --run, got both, {options.weights} and {options.run}")


def _load_language(options: argparse.Namespace) -> Language:
    language = load_language(options.language, options.data)
    for note in language.notes:
        print(note, file=sys.stderr)
    return language


def _report(score: Score, split: str) -> None:
    print(f"{split}: exact match {score.exact_match:.1%}, BLEU {score.bleu:.1f}")
    for (low, high), (share, count) in score.exact_match_by_length.items():
        print(f"  {low:2d} to {high:2d} words: {share:6.1%} of {count}")
    for source, expected, got in score.wrong[:3]:
        print(f"  {source}\n    expected {expected}\n    got      {got}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m transformer_course",
        description="Train a small translator, a language model or a writer of captions; use it, measure it.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(
        required=True, metavar="train | translate | evaluate | generate | caption | chat | similar"
    )

    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--run",
        type=Path,
        help=f"folder of the run (default: {DEFAULT_RUN}; of a language model: {RUNS / LANGUAGE_MODEL})",
    )
    shared.add_argument("--device", type=torch.device, default=best_device(), help="default here: %(default)s")
    # At these sizes threads wait for each other longer than they compute, and the budget counts the seconds of all.
    shared.add_argument("--threads", type=int, default=1, help="CPU threads; more help large models only (default: 1)")
    data = argparse.ArgumentParser(add_help=False)
    data.add_argument(
        "--language", choices=LANGUAGES, default="built-in", help="which sentences (default: %(default)s)"
    )
    data.add_argument("--data", type=Path, help="file or folder of tatoeba or multi30k; without it, it is downloaded")
    weights = argparse.ArgumentParser(add_help=False)
    weights.add_argument("--weights", type=Path, help="folder with published weights, in the place of a run")
    beam = argparse.ArgumentParser(add_help=False)
    beam.add_argument("--beam-width", type=int, default=1, help="1 is greedy (default: %(default)s)")

    command = commands.add_parser("train", parents=[shared, data], help="train a model")
    command.set_defaults(command=train)
    command.add_argument(
        "--model", choices=(*MODELS, LANGUAGE_MODEL, "captions"), default="transformer", help="default: %(default)s"
    )
    budget = command.add_mutually_exclusive_group()
    budget.add_argument("--steps", type=int, help="number of updates")
    budget.add_argument("--cpu-seconds", type=float, help="CPU seconds instead (default: 180)")
    command.add_argument("--learning-rate", type=float, help="default: 2e-3, of a language model and of captions 4e-3")
    command.add_argument("--schedule", choices=SCHEDULES, default="linear")
    command.add_argument("--warmup-steps", type=int, default=200)
    command.add_argument("--dropout", type=float, default=0.0, help="of the transformer (default: %(default)s)")
    command.add_argument("--smoothing", type=float, default=0.0, help="label smoothing")
    command.add_argument(
        "--weight-decay", type=float, default=0.1, help="what an update takes off the weights (default: %(default)s)"
    )
    command.add_argument(
        "--batch-tokens", type=int, help="padded tokens that run at once (default: 250, of a language model 512)"
    )
    command.add_argument("--update-tokens", type=int, help="target tokens of one update, accumulated")
    command.add_argument("--seed", type=int, default=0)
    command.add_argument("--resume", action="store_true", help="go on from the run's checkpoint")

    command = commands.add_parser("translate", parents=[shared, beam, weights], help="translate sentences")
    command.set_defaults(command=translate)
    command.add_argument("sentence", nargs="?", help="what to translate; without it, lines are read from the keyboard")
    command.add_argument("--attention", type=Path, help="draw the attention into this file (.svg, .png, .pdf)")

    command = commands.add_parser("evaluate", parents=[shared, data, beam], help="measure a trained model")
    command.set_defaults(command=evaluate)
    command.add_argument("--split", choices=SPLITS, default="test")

    command = commands.add_parser(
        "generate", parents=[shared, weights], help="go on with a text, with a trained language model or a GPT-2"
    )
    command.set_defaults(command=generate)
    command.add_argument("prompt", nargs="?", default="\n", help="how the text begins")
    command.add_argument("--length", type=int, help="characters to write (default: 500), or tokens of a GPT-2 (100)")
    command.add_argument("--temperature", type=float, default=0.8, help="0 is the most probable (default: %(default)s)")
    command.add_argument("--top-k", type=int, help="draw from so many characters")
    command.add_argument("--top-p", type=float, help="draw from the fewest that have this probability together")
    command.add_argument("--seed", type=int, help="the same seed writes the same text")

    command = commands.add_parser("caption", help="write about a picture of the built-in scenes")
    command.set_defaults(command=caption, threads=1)
    command.add_argument("image", help="a PNG file of 40 x 40 pixels, or the number of a test scene, from 0 to 999")
    command.add_argument("--run", type=Path, default=CAPTIONS_RUN, help="folder of the run (default: %(default)s)")
    command.add_argument("--attention", type=Path, help="draw where each word looked into this file")
    command.add_argument("--picture", type=Path, help="write the picture into this PNG file")
    add_commands(commands)
    return parser
