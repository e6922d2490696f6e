"""Task `load_marian` of exercise 18."""

import torch

from course_checks.cases import Case, Draw, refusal, refuses
from course_checks.modern_transformer.published import MARIAN_CONFIG, Marian, marian_state
from course_checks.modern_transformer.shared import UNIT, loaded, made
from course_checks.outcomes import same
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.words import Finding

task = Task("load_marian", UNIT)
_POSITIONS = "print the row of position 1 for d_model = 4: Marian's is sin 1, sin 0.01, cos 1, cos 0.01"
_BOTH = "two embeddings keep an `encoding` each: print a row of both"
_PAD = "`pad_id` of the model says which tokens of the source are hidden; which id has padding here?"
_START = "look at `decoder_start_token_id` in the configuration"
_BEND = "look at `activation_function` in the configuration; swish is another name of SiLU"
_TABLE = "`model.shared.weight` is the table as it is; the embedding of unit 08 multiplies by sqrt(d_model)"


task.oracle(Marian)

# fmt: off
_ROOT = "config['d_model'] ** 0.5"
_IDS = 'model.bos_id, model.eos_id = config["decoder_start_token_id"], config["eos_token_id"]'
_HALVES = "torch.cat([encoding[:, 0::2], encoding[:, 1::2]], dim=1)"
_EMBEDDINGS = '"source_embedding.token.weight": table,\n"target_embedding.token.weight": table,'
task.edit(_HALVES, {
    "encoding": ("sines and cosines still take turns; Marian has all sines first", _POSITIONS),
    "torch.cat([encoding[:, 1::2], encoding[:, 0::2]], dim=1)": ("the cosines stand in the first half", _POSITIONS),
    "0 * encoding": ("the positions are not added", _POSITIONS),
    _HALVES.replace("encoding", "sinusoidal_encoding(2 + len(encoding), config['d_model'])[2:]"): (
        "the positions begin at 2", _POSITIONS)})
task.edit("halves, halves.clone()", {
    "encoding, halves": (
        "only the target has all sines first; in the source sines and cosines still take turns", _BOTH),
    "halves, encoding": (
        "only the source has all sines first; in the target sines and cosines still take turns", _BOTH)})
_UNTIED = {"tie_weights=True": "tie_weights=False"}
task.edit_places({**_UNTIED, _EMBEDDINGS: _EMBEDDINGS.replace("table", f"table / {_ROOT}")},
                 "the embedding is not multiplied by sqrt(d_model), though `scale_embedding` is true", _TABLE)
task.edit_places({**_UNTIED, _EMBEDDINGS: _EMBEDDINGS.replace("table", f"table * {_ROOT}")},
                 "the embedding is multiplied by sqrt(d_model) twice: by you, and by the model", _TABLE)
task.edit_places({**_UNTIED, '"output_layer.weight": table': f'"output_layer.weight": table * {_ROOT}'},
                 "the matrix of the output layer is multiplied by sqrt(d_model); only the embeddings multiply", _TABLE)
task.edit_places({**_UNTIED, '"output_layer.weight": table': f'"output_layer.weight": table / {_ROOT}'},
                 "the output layer is scaled too; only the embedding is", _TABLE)
task.edit('state["model.shared.weight"]', {
    f'state["model.shared.weight"] * {_ROOT}': ("the shared table is multiplied by sqrt(d_model) when it is loaded: "
        "the embeddings do that themselves, and the output layer does not", _TABLE)})
task.edit('"output_layer.bias": state["final_logits_bias"][0],\n}', {
    "}, strict=False": ("`final_logits_bias` is not loaded", "the output layer of the Transformer has a bias")})
task.edit(_IDS, {
    'model.bos_id = model.eos_id = config["eos_token_id"]': (
        "`bos_id` is the end of a sentence; Marian begins with padding", _START),
    'model.bos_id = model.eos_id = config["decoder_start_token_id"]': (
        "`eos_id` is padding; Marian begins with it, and does not end with it",
        "look at `eos_token_id` in the configuration"),
    'model.eos_id = config["eos_token_id"]': ("`bos_id` is left at 1, the course's own", _START),
    _IDS.replace("bos_id, model.eos_id", "eos_id, model.bos_id"): ("`bos_id` and `eos_id` are exchanged", _START),
    'model.bos_id = config["decoder_start_token_id"]': (
        "`eos_id` is left at 2, the course's own", "look at `eos_token_id` in the configuration")})
task.edit('"silu"', {
    '"relu"': ("the feed-forward networks use ReLU, as in 2017", _BEND),
    '"gelu"': ("the feed-forward networks use GELU", _BEND)})
task.edit("return ", {"model.pad_id = -1\nreturn ": ("no padding is hidden in the source", _PAD)})
task.edit('config["pad_token_id"]', {
    "0": ("`pad_id` is left at 0: padding is seen, and the end of the sentence, which has id 0, is hidden", _PAD)})
task.edit("model = Marian", {
    "from transformer_course.transformer import Transformer\nmodel = ": (
        "the model is a plain `Transformer`, which may write padding", "which class does the task name?")})
# fmt: on


def load(answer, state, config):
    """Let a function load, and say so where it has exchanged the numbers of blocks."""
    try:
        return loaded(answer, state, config)
    except RuntimeError as error:
        missing, _, unexpected = str(error).partition("Unexpected key(s)")
        for one, other in (("encoder", "decoder"), ("decoder", "encoder")):
            if f'"{one}_blocks.' in missing and f'"{other}_blocks.' in unexpected and "size mismatch" not in unexpected:
                raise Finding(
                    f"the model has more {one} blocks than the state dict, and fewer {other} blocks", "as many blocks "
                    "as the configuration says", "the numbers of encoder and decoder layers are exchanged",
                    "compare the order of the arguments with that in the task", final=True,
                ) from None  # fmt: skip
        raise


def says(answer, state, config, source, target):
    """Observe the logits of the model that a function makes."""
    with torch.no_grad():
        return made(load(answer, state, config))(source, target)


def knows(answer, state, config):
    """Observe which tokens the model begins and ends with."""
    model, found = made(load(answer, state, config)), {}
    for name in ("bos_id", "eos_id"):
        if not hasattr(model, name):
            raise Finding(f"the model has no attribute {name}", "", "the attribute is not set",
                          f"`model.{name} = ...` before you return it")  # fmt: skip
        found[name] = int(getattr(model, name))
    return found


def configured(**changes):
    """Draw a state dict for this configuration."""
    return lambda draw: (marian_state(draw, MARIAN_CONFIG), MARIAN_CONFIG | changes)


def drawn(batch, source_length, target_length, padded=True, **changes):
    """Draw a state dict, a batch of sentences with padding, and what is written, which begins with padding."""
    config = MARIAN_CONFIG | changes

    def make(draw):
        source = draw.integers(1, config["vocab_size"] - 1, batch, source_length)
        target = draw.integers(1, config["vocab_size"] - 1, batch, target_length)
        target[:, 0] = config["decoder_start_token_id"]
        source[:, -1] = config["eos_token_id"]
        if padded:
            source[0, -2:] = config["pad_token_id"]
            source[0, -3] = config["eos_token_id"]
        return marian_state(draw, config), config, source, target

    return make


@task.probe("nothing is dropped, in training neither", "the same logits in training mode and in evaluation mode",
            "the model is made with dropout", "`dropout=0.0`: the default of the class is another")  # fmt: skip
def at_random(answer):
    """The same sentence in both modes."""
    model = made(load(answer, marian_state(Draw("modes"), MARIAN_CONFIG), MARIAN_CONFIG))
    given = torch.tensor([[3, 4, 0]]), torch.tensor([[22, 5]])
    with torch.no_grad():
        before = model(*given)
        unwrapped(model).train()
        return None if same(model(*given), before) else "in training mode the logits are others"


@task.probe("the model is one that can write", "a `MarianTransformer`, which has a method `decode_step`",
            "the model is of another class than that of the task", "which class does the task name?")  # fmt: skip
def can_write(answer):
    """A model is asked for its methods."""
    model = made(load(answer, marian_state(Draw("methods"), MARIAN_CONFIG), MARIAN_CONFIG))
    return None if hasattr(model, "decode_step") else "there is no `decode_step`"


EXPECTED = "the logits of Marian with these weights, to the fourth digit"
task.require(
    "the logits are those of Marian",
    EXPECTED,
    [Case("one sentence, nothing written yet", drawn(1, 4, 1, padded=False), says),
     Case("2 sentences of 5 tokens, 4 written", drawn(2, 5, 4, padded=False), says),
     Case("3 layers that read, 1 that writes", drawn(2, 4, 3, padded=False, encoder_layers=3, decoder_layers=1), says)],
    [Case("other sizes", drawn(2, 6, 5, padded=False, d_model=16, encoder_attention_heads=2,
                               decoder_attention_heads=2, vocab_size=31, pad_token_id=30,
                               decoder_start_token_id=30), says),
     Case("as long as can be", drawn(1, 9, 9, padded=False), says)],
    "compare with the five differences of the task, one after the other",
)  # fmt: skip
task.require(
    "padding in the source is hidden, and its end is not",
    EXPECTED,
    [Case("2 sentences, one of them padded", drawn(2, 6, 3), says)],
    [Case("3 sentences, one of them padded", drawn(3, 7, 4), says)],
    _PAD,
)
task.require(
    "the model knows with which token it begins, and with which one it ends",
    "bos_id and eos_id as the configuration has them",
    [Case("the published ones", configured(), knows)],
    [Case("another end", configured(eos_token_id=5), knows)],
    _START,
)


def too_long(answer, state, config):
    """Observe whether the model refuses a sentence longer than its table of positions."""
    model = made(load(answer, state, config))
    return refuses()(model, torch.ones(1, 10, dtype=torch.long), torch.ones(1, 2, dtype=torch.long))


task.limits(
    "state dicts and configurations of other models, and too long a sentence",
    [
        refusal("a name is missing", lambda draw: (
            {k: v for k, v in marian_state(draw, MARIAN_CONFIG).items() if k != "final_logits_bias"}, MARIAN_CONFIG),
                "final_logits_bias"),
        refusal("norms in front", configured(normalize_before=True), "normalize_before"),
        Case("a sentence longer than the model knows positions", configured(), too_long, right=True),
    ],
)  # fmt: skip
