"""`course-check` on code that no course asked for: functions in usual forms, files that end the program, names."""

import json

import pytest

from course_checks.cli import main
from tests.checked_code import checked  # noqa: F401 (a fixture)

SOFTMAX = """
def masked_softmax(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return scores.softmax(-1)
"""
GROUPED = """
def grouped_query_attention(query, key, value, mask=None):
    key, value = (x.repeat_interleave(query.shape[-3] // x.shape[-3], dim=-3) for x in (key, value))
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(-1) @ value
"""
ENCODING = """
def sinusoidal_encoding(length, d_model):
    place = torch.arange(length)[:, None]
    angles = place * torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2], encoding[:, 1::2] = angles.sin(), angles.cos()
    return encoding
"""
SMOOTHED = """
def label_smoothing_loss(logits, labels, smoothing=0.1, pad_id=0):
    one = F.cross_entropy(logits.flatten(0, -2), labels.flatten(), ignore_index=pad_id, label_smoothing=smoothing)
    return one if (labels != pad_id).any() else 0 * logits.sum()
"""
FILTER = """
def filter_logits(logits, top_k=None, top_p=None):
    if top_k is not None:
        least = logits.topk(min(top_k, logits.shape[-1])).values[..., -1:]
        logits = logits.masked_fill(logits < least, -math.inf)
    if top_p is not None:
        ranked, places = logits.sort(-1, descending=True)
        before = ranked.softmax(-1).cumsum(-1) - ranked.softmax(-1)
        gone = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, places, before >= top_p)
        logits = logits.masked_fill(gone, -math.inf)
    return logits
"""
UNFOLD = """
def image_to_patches(images, patch_size):
    return F.unfold(images, patch_size, stride=patch_size).transpose(1, 2)
"""
SAMPLED = """
def generate(model, prompt, num_tokens, temperature=1.0, top_k=None, top_p=None, generator=None):
    modes = [(part, part.training) for part in model.modules()]
    model.eval()
    tokens = prompt
    try:
        with torch.no_grad():
            for _ in range(num_tokens):
                logits = model(tokens[:, -model.max_length:])[:, -1] / temperature
                if top_k is not None:
                    least = logits.topk(top_k).values[..., -1:]
                    logits = logits.masked_fill(logits < least, -math.inf)
                if top_p is not None:
                    ranked, places = logits.sort(-1, descending=True)
                    before = ranked.softmax(-1).cumsum(-1) - ranked.softmax(-1)
                    gone = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, places, before >= top_p)
                    logits = logits.masked_fill(gone, -math.inf)
                drawn = torch.multinomial(logits.softmax(-1), 1, generator=generator)
                tokens = torch.cat([tokens, drawn], 1)
    finally:
        for part, mode in modes:
            part.training = mode
    return tokens
"""
TWO_MASKS = """
def combine_masks(a, b):
    return a & b
"""
LLAMAS = """
def swiglu(x, w1, w2, w3):
    return (F.silu(x @ w1.T) * (x @ w3.T)) @ w2.T
"""
FOUR_DIMENSIONS = """
def scaled_dot_product_attention(query, key, value, attention_mask=None):
    scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[-1])
    if attention_mask is not None:
        scores = scores + attention_mask
    weights = scores.softmax(-1)
    return (weights @ value).transpose(1, 2).contiguous(), weights
"""
TORCHS_MASK = """
def causal_mask(size):
    return torch.nn.Transformer.generate_square_subsequent_mask(size)
"""
LOWER = """
def causal_mask(length):
    return torch.tril(torch.ones(length, length))
"""
FUSED = """
def scaled_dot_product_attention(query, key, value, mask=None):
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
"""
BORDER = "Right, but for a case at the border"


@pytest.mark.parametrize(
    ("task", "program", "said"),
    [
        ("masked_softmax", SOFTMAX, "a row that may attend to nothing"),
        ("grouped_query_attention", GROUPED, "such a row gets zeros"),
        ("sinusoidal_encoding", ENCODING, "with an odd d_model"),
        ("label_smoothing_loss", SMOOTHED, "Dimension out of range"),
        ("filter_logits", FILTER, "equal ones make it more than k"),
        ("image_to_patches", UNFOLD, "not implemented for 'Long', in the line `return F.unfold"),
        ("generate", SAMPLED, "temperature 0"),
        ("combine_masks", TWO_MASKS, "it takes 2 arguments, and was tried with no other number of them"),
    ],
    ids=lambda value: value if value.isidentifier() else "",
)
def test_what_only_the_course_asks_for_is_at_the_border(task, program, said, checked):  # noqa: F811
    code, printed = checked(task, program)
    assert (code, BORDER in printed, said in printed) == (0, True, True), printed


@pytest.mark.parametrize(
    ("task", "program", "old", "new"),
    [
        ("masked_softmax", SOFTMAX, "~mask", "mask & (scores < 0)"),
        (
            "grouped_query_attention",
            GROUPED,
            "x.repeat_interleave(query.shape[-3] // x.shape[-3], dim=-3)",
            "x.repeat(1, query.shape[-3] // x.shape[-3], 1, 1)",
        ),
        ("sinusoidal_encoding", ENCODING, "place * ", "(place + 1) * "),
        ("filter_logits", FILTER, "before >= top_p", "before + ranked.softmax(-1) >= top_p"),
        ("generate", SAMPLED, "-model.max_length:", ":"),
        ("combine_masks", TWO_MASKS, "a & b", "a ^ b"),
    ],
    ids=lambda value: value if value.isidentifier() else "",
)
def test_a_mistake_beside_the_border_is_one(task, program, old, new, checked):  # noqa: F811
    assert program.count(old) >= 1
    assert checked(task, program.replace(old, new))[0] == 1


@pytest.mark.parametrize(
    ("task", "program", "said"),
    [
        ("swiglu", LLAMAS, "the arguments come in the order x, w_gate, w_down, w_up"),
        ("scaled_dot_product_attention", FOUR_DIMENSIONS, "heads come after the length in the result alone"),
        ("scaled_dot_product_attention", FOUR_DIMENSIONS, "True and False would be added as 1 and 0"),
        ("causal_mask", TORCHS_MASK, "0 where a key may be attended to, -inf where not"),
        ("causal_mask", LOWER, "a mask holds the numbers 1"),
    ],
)
def test_another_convention_is_found_and_said_before_what_is_right_in_it(task, program, said, checked):  # noqa: F811
    code, printed = checked(task, program)
    assert (code, said in printed) == (0, True), printed
    assert printed.index("another convention") < printed.index("passed")
    assert "device=" not in printed


def test_or_in_the_place_of_and_is_a_mistake_unless_true_means_hidden(checked):  # noqa: F811
    code, printed = checked("combine_masks", TWO_MASKS.replace("a & b", "a | b"))
    assert (code, "passed" in printed) == (1, False)
    assert "if True in your masks means hidden, your code is right" in printed


def test_strict_counts_conventions_and_borders_and_no_form(checked):  # noqa: F811
    assert checked("scaled_dot_product_attention", FUSED, "--strict")[0] == 0
    for task, program in (("scaled_dot_product_attention", FOUR_DIMENSIONS), ("filter_logits", FILTER)):
        code, printed = checked(task, program, "--strict", "--json")
        report = json.loads(printed)
        assert (code, report["exit"], report["right"]) == (1, 1, True)


NOT_TRIED = {
    "ends while it is imported": ("sys.exit(0)", "SystemExit: 0; it ends the program: put what is to be run under"),
    "ends when it is called": ("def causal_mask(length, device=None):\n    sys.exit(0)", "ended the program"),
    "reads its arguments": (
        "import argparse\nargparse.ArgumentParser().parse_args()\ncausal_mask = 3", "expected a function or a class"
    ),
    "lies in a package": ("from .mine import causal_mask", "code_of_mine import ...`, and name that one"),
}  # fmt: skip


@pytest.mark.parametrize("kind", NOT_TRIED)
def test_a_file_that_ends_the_program_is_not_tried_also_for_programs(kind, checked):  # noqa: F811
    program, said = NOT_TRIED[kind]
    code, printed = checked("causal_mask", program)
    assert (code, said in printed) == (2, True), printed
    code, printed = checked("causal_mask", program, "--json")
    assert (code, said in json.loads(printed)["problem"]) == (2, True)


def test_a_problem_is_printed_for_programs_where_they_read(tmp_path, capsys):
    assert main(["causal_mask", str(tmp_path), "--json"]) == 2
    assert "is a folder, expected a file" in json.loads(capsys.readouterr().out)["problem"]


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        ("NotImplementedError('only for flash')", "NotImplementedError: only for flash"),
        ("NotImplementedError", "raised NotImplementedError, in the line `raise NotImplementedError`"),
    ],
)
def test_a_function_that_is_not_written_is_no_cell_of_a_notebook(raised, said, checked):  # noqa: F811
    code, printed = checked("causal_mask", f"def causal_mask(length, device=None):\n    raise {raised}")
    assert (code, said in printed, "cell" in printed) == (1, True, False), printed


@pytest.mark.parametrize(
    ("name", "meant"),
    [("attention", "scaled_dot_product_attention"), ("RMSNorm", "rms_norm"), ("BLEU", "corpus_bleu"),
     ("rope", "18:rotate"), ("SelfAttention", "MultiHeadAttention"), ("casual_mask", "causal_mask")],
)  # fmt: skip
def test_a_usual_name_leads_to_ours(name, meant, capsys):
    assert main([name, "x.py"]) == 2
    assert f"did you mean {meant}" in capsys.readouterr().err
