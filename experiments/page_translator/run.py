"""The translator in the page: `python -m experiments.page_translator`.

Trains a Transformer as in chapter 10 (norms first, tied weights, half of the pairs joined by twos as in
`experiments.longer`, so that it can place words late in a sentence), a little narrower, so that a page stays small. Its
weights are kept in 8 bits for each entry (`experiments.page_translator.page_weights`) in
`book/_static/live/translator-weights-*.js`. What is measured: exact match before and after, on all splits.

The result file also holds what pages show without JavaScript: some sentences with their translations, and for which of
them a single weight of cross-attention, moved to another source word, changes an article.
"""

import hashlib
from pathlib import Path

import torch
from tqdm import tqdm

from experiments.longer.joining import JoiningTrainer
from experiments.page_translator.page_weights import FILES, quantised, read_page_weights, write_page_weights
from experiments.results import Results
from transformer_course.common.seeding import seed_everything
from transformer_course.common.tokens import BOS, EOS
from transformer_course.data.sentences import SentencePair
from transformer_course.interpret.interventions import weights_changed
from transformer_course.training.config import TrainingConfig
from transformer_course.training.evaluation import score_translations
from transformer_course.training.languages import Language, built_in_language
from transformer_course.training.models import Translator
from transformer_course.transformer import Transformer

PAGE = Path(__file__).parents[2] / "book" / "_static" / "live"
CHECKPOINT = Path(__file__).parents[2] / "runs" / "page_translator.pt"
SIZES = {"d_model": 96, "num_heads": 4, "num_encoder_layers": 2, "num_decoder_layers": 2, "d_ff": 384}
SETTINGS = {"num_steps": 14_000, "learning_rate": 2.5e-3, "micro_batch_tokens": 300, "weight_decay": 0.1, "seed": 0}
SHARE_JOINED = 0.5
SPLITS = ("validation", "test", "longer", "composition")
GENDERED = {("le", "la"), ("la", "le"), ("un", "une"), ("une", "un")}
LONGEST_EXAMPLE = 9


def train(language: Language) -> tuple[Translator, JoiningTrainer]:
    """Train the model of the page."""
    seed_everything(SETTINGS["seed"])
    vocabularies = language.source_vocabulary, language.target_vocabulary
    model = Transformer(*map(len, vocabularies), **SIZES, dropout=0.0, norm_first=True, tie_weights=True)
    trainer = JoiningTrainer(model, language.examples(), TrainingConfig(**SETTINGS), share=SHARE_JOINED)
    if CHECKPOINT.exists():  # of a run that was stopped
        trainer.resume(CHECKPOINT)
    trainer.run(CHECKPOINT)
    return Translator("transformer", model.eval(), *vocabularies), trainer


def exact_match(translator: Translator, language: Language) -> dict[str, float]:
    """Return the share of sentences of each split that are translated word for word."""
    return {
        split: score_translations(
            language.splits[split], translator.translate_all([pair.source for pair in language.splits[split]])
        ).exact_match
        for split in SPLITS
    }


def digests() -> dict[str, dict]:
    """Return bytes and SHA-256 of each file of weights."""
    contents = {name: (PAGE / name).read_bytes() for name in FILES}
    return {name: {"bytes": len(each), "sha256": hashlib.sha256(each).hexdigest()} for name, each in contents.items()}


def moved_weights(translator: Translator, pairs: list[SentencePair]) -> list[dict]:
    """Find articles that change their gender when one weight of the cross-attention is moved to one source word.

    The sentence is translated rightly, all words before the article stay, and in the layer named, in the head named or
    in all its heads (null), the source word gets all the weight.
    """
    found = []
    for pair in tqdm(pairs, desc="articles"):
        ids = [BOS, *translator.target_vocabulary.encode(pair.target)]
        source, target = translator.source([pair.source]), torch.tensor([ids])
        with torch.no_grad():
            plain = translator.model(source, target)[0].argmax(dim=-1).tolist()
        if plain != [*ids[1:], EOS]:
            continue
        for position, word in enumerate(pair.target):
            if word not in ("le", "la", "un", "une"):
                continue
            for layer, block in enumerate(translator.model.decoder_blocks):
                for head in (*range(SIZES["num_heads"]), None):
                    for key, _ in enumerate(pair.source):

                        def all_to_one(weights, head=head, position=position, key=key):
                            weights = weights.clone()  # (batch, heads, m, n)
                            heads = slice(None) if head is None else slice(head, head + 1)
                            weights[:, heads, position] = 0.0
                            weights[:, heads, position, key] = 1.0
                            return weights

                        with torch.no_grad(), weights_changed(block.cross_attention, all_to_one):
                            row = translator.model(source, target)[0, position]
                        now = translator.target_vocabulary.words[int(row.argmax())]
                        if (word, now) in GENDERED:
                            found.append(
                                {"source": " ".join(pair.source), "target": " ".join(pair.target)}
                                | {"position": position, "layer": layer, "head": head, "key": key}
                                | {"from": word, "to": now, "probability": round(row.softmax(-1).max().item(), 3)}
                            )
    return found


def main() -> None:
    """Train, quantise, write the weights and the result file."""
    torch.set_num_threads(1)
    language = built_in_language()
    results = Results("page_translator", {"sizes": SIZES, "training": SETTINGS, "share_joined": SHARE_JOINED})
    if results.has(seed=SETTINGS["seed"]):
        return
    translator, trainer = train(language)
    origin = {
        "script": "experiments/page_translator",
        "seed": SETTINGS["seed"],
        "data": "transformer_course.data.corpus, seed 0, 20,000 training pairs",
        "result": "experiments/page_translator/results.json",
    }
    write_page_weights(PAGE, translator, SIZES, origin)
    kept = read_page_weights(PAGE, torch.float32)
    for (name, one), other in zip(quantised(translator.model).named_parameters(), kept.model.parameters(), strict=True):
        assert torch.equal(one, other), name
    short = [pair for pair in language.splits["test"] if len(pair.source) <= LONGEST_EXAMPLE]
    results.add(
        seed=SETTINGS["seed"],
        parameters=sum(parameter.numel() for parameter in translator.model.parameters()),
        seconds=round(trainer.progress.seconds, 1),
        last_loss=sum(trainer.progress.losses[-50:]) / 50,
        exact_match=exact_match(translator, language),
        exact_match_8_bits=exact_match(kept, language),
        files=digests(),
        moved_weights=moved_weights(kept, short[:150]),
    )


if __name__ == "__main__":
    main()
