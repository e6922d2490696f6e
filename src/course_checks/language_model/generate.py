"""Task `generate` of exercise 13: what the model is shown, what is appended, and the manners."""

import torch

from course_checks.cases import Case, refusal
from course_checks.language_model.models import Recites
from course_checks.language_model.sample_token import right as sample_token
from course_checks.language_model.shared import UNIT, frequencies
from course_checks.subject import unwrapped
from course_checks.task import Task
from course_checks.words import Finding

task = Task("generate", UNIT)
_PRINT = "print the shape of what you hand to the model in each step"
_MODES = "remember `(module, module.training)` for each of `model.modules()`"
_HAND_ON = "print what you hand to sample_token"
_CUT = "cut what you show to the model, not what you keep"


@task.oracle
def right(model, prompt, num_tokens, temperature=1.0, top_k=None, top_p=None, generator=None):
    """Write each text on its own, token by token."""
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    rows = [row.tolist() for row in prompt]
    with torch.no_grad():
        for _ in range(num_tokens):
            logits = [model(torch.tensor([row[-model.max_length :]]))[0, -1] for row in rows]
            drawn = sample_token(torch.stack(logits), temperature, top_k, top_p, generator).tolist() if rows else []
            rows = [[*row, token] for row, token in zip(rows, drawn, strict=True)]
    for module, mode in modes:
        module.training = mode
    return torch.tensor(rows, dtype=torch.long).reshape(len(prompt), prompt.shape[1] + num_tokens)


# fmt: off
task.edit("tokens[:, -model.max_length :]", {
    "tokens[:, : model.max_length]": ("the model is shown the first `max_length` tokens, not the last", _PRINT),
    "tokens[:, -1:]": ("the model is shown the last token alone", _PRINT),
    "prompt[:, -model.max_length :]": ("the model is shown the prompt in every step, without what was written", _PRINT),
    "tokens[:, -max(model.max_length - 1, 1) :]": (
        "the model is shown one token fewer than `max_length` allows", _PRINT),
    "F.pad(tokens, (0, prompt.shape[1] + num_tokens - tokens.shape[1]))[:, -model.max_length :]": (
        "the model is shown a buffer that is longer than the text, with zeros where nothing is written yet", _PRINT),
    "tokens[:, (tokens.shape[1] - 1) // model.max_length * model.max_length :]": (
        "the window begins anew every `max_length` tokens, so that the model is shown too few right after it", _PRINT),
    "tokens": ("the model is shown all tokens, however many there are", _PRINT)})
task.edit("[:, -1]", {
    "[:, prompt.shape[1] - 1]": ("in every step the logits at the end of the prompt are read, not at the end of what "
        "stands there by then", "which position says what comes next?"),
    "[:, 0]": ("the logits of the first position are read", "which position says what comes next?"),
    "[:, -2:][:, 0]": ("the logits of the last position but one are read", "index -1 is the last"),
    ".mean(1)": ("the logits of all positions are averaged", "which position says what comes next?")})
task.edit("[tokens, drawn.unsqueeze(1)]", {
    "[drawn.unsqueeze(1), tokens]": ("new tokens are joined in front", "along dimension 1, behind what is there"),
    "[tokens, drawn[:1].expand(len(drawn)).unsqueeze(1)]": (
        "all texts of the batch go on with the same token", "each row draws on its own")})
task.edit("return tokens", {
    "return tokens[:, prompt.shape[1] :]": (
        "only the new tokens are returned, without the prompt", "the task names the shape"),
    "return tokens[:, -model.max_length :]": (
        "only the last `max_length` tokens are returned: the text was cut where the model's window is", _CUT)})
task.edit("range(num_tokens)", {
    "range(num_tokens - 1)": ("one token too few is written", "how many times does the loop run?"),
    "range(num_tokens - prompt.shape[1])": ("the prompt is counted among the `num_tokens` that are to be written",
        "how many columns has the result of the first case, and how many does the task want?"),
    "range(num_tokens + 1)": ("one token too many is written", "how many times does the loop run?")})
task.edit("logits = ", {"tokens = tokens[:, -model.max_length :]\nlogits = ": (
    "the text itself is cut to `max_length` in every turn, not only what the model is shown", _CUT)})
task.edit("sample_token(logits, temperature, top_k, top_p, generator)", {
    "logits.argmax(dim=-1)": ("the most probable token is always taken", _HAND_ON),
    "sample_token(logits, 1.0, top_k, top_p, generator)": ("`temperature` is not handed on", _HAND_ON),
    "sample_token(logits, temperature, None, top_p, generator)": ("`top_k` is not handed on", _HAND_ON),
    "sample_token(logits, temperature, top_k, None, generator)": ("`top_p` is not handed on", _HAND_ON),
    "sample_token(logits, temperature, top_k, top_p)": ("`generator` is not handed on", _HAND_ON),
    "sample_token(logits if temperature == 0 else (ranked := logits.sort(-1, descending=True)).values.gather(-1, "
    "ranked.indices), temperature, top_k, top_p, generator)": (
        "the probabilities are sorted, and not brought back to their tokens: `gather` with the order of the sort sorts "
        "them once more", "sort 0.2, 0.5, 0.3 and bring them back: does each number stand where it stood?")})
task.edit("tokens = prompt", {"generator = generator or torch.Generator().manual_seed(0)\ntokens = prompt": (
    "where no generator is given, one with a fixed seed is made", "`sample_token` takes None, too",
    "two calls write the same text")})
task.edit("model.eval()", {"": ("`model.eval()` is missing", "call it before the model is asked")})
task.edit("module.training = mode", {
    "pass": ("nothing puts the modes back, or they are noted only after `model.eval()` has changed them", _MODES),
    "model.train(modes[0][1])": (
        "the mode of the whole model is set at the end, by `model.train()` or `train(...)` with the mode that it had; "
        "a part of it had another", _MODES)})
task.edit_places({"try:": "if True:", "finally:": "if True:"},
                 "the lines that put the modes back are not reached when something raises",
                 "`try: ... finally: ...` runs its last part in any case")
task.edit("torch.no_grad()", {"torch.enable_grad()": (
    "gradients are recorded: `torch.no_grad()` is missing",
    "put everything that asks the model into `with torch.no_grad():`")})
# fmt: on


def cold(batch, length, num_tokens, max_length=5, seed=0):
    """Draw prompts, to go on without chance."""
    return lambda draw: (Recites(7, max_length, seed), draw.integers(0, 7, batch, length), num_tokens, 0)


def many(answer, length, num_tokens, *how):
    """Observe how often each token comes next, in many texts with the same prompt."""
    prompt = torch.tensor([[3, 1, 4, 1, 5][:length]]).expand(6000, -1)
    written = answer(Recites(7, 5, 1, 1.0), prompt, num_tokens, *how, generator=torch.Generator().manual_seed(5))
    if not isinstance(written, torch.Tensor) or written.shape != (6000, length + num_tokens):
        shape = tuple(written.shape) if isinstance(written, torch.Tensor) else type(written).__name__
        raise Finding(f"the result is {shape}", f"token ids of shape (6000, {length + num_tokens})",
                      "the prompt is missing, or one token too many or too few was written",
                      "print the shape after each step")  # fmt: skip
    return frequencies(written[:, -1], 7)


def drawing(situation, *arguments):
    """Make the case of many texts."""
    # The right answer is drawn, too: five standard deviations of the difference.
    return Case(situation, arguments, many, within=0.05)


EXPECTED = (
    "the prompt, and behind it token by token what the model says next, of shape (batch, prompt_length + num_tokens)"
)
task.require("the text goes on as the model says, one token after the other", EXPECTED,
    [Case("2 prompts of 2 tokens, 3 new ones, temperature 0", cold(2, 2, 3)),
     Case("one prompt of 1 token, 4 new ones, temperature 0", cold(1, 1, 4))],
    [Case("4 prompts, temperature 0", cold(4, 3, 2, seed=3))],
    _PRINT)  # fmt: skip
task.require("a text longer than the window: the model sees its last `max_length` tokens", EXPECTED,
    [Case("2 prompts of 3 tokens, 8 new ones, max_length 5, temperature 0", cold(2, 3, 8)),
     Case("a prompt of 9 tokens, max_length 4, temperature 0", cold(1, 9, 3, 4))],
    [Case("max_length 1", cold(2, 2, 5, 1, 2)), Case("many tokens", cold(3, 6, 14, 6, 1))],
    _PRINT)  # fmt: skip
task.require("tokens are drawn, each text on its own, as temperature, top_k and top_p say",
    "each token as often as it is probable",
    [drawing("6000 texts, 1 new token", 2, 1, 1.0, None, None),
     drawing("6000 texts, 2 new tokens, temperature 0.5", 2, 2, 0.5, None, None),
     drawing("6000 texts, everything left out but the generator", 2, 1),
     drawing("6000 texts, top_k 2", 3, 1, 1.0, 2, None), drawing("6000 texts, top_p 0.5", 3, 1, 1.0, None, 0.5)],
    [drawing("3 new tokens, all three", 2, 3, 1.5, 4, 0.7)],
    _HAND_ON)  # fmt: skip


@task.probe("the generator is drawn from", "the same text for the same seed",
            "`generator` is not handed on to the sampling", _HAND_ON)  # fmt: skip
def generators(answer):
    """The same seed twice, and no generator."""
    prompt = torch.tensor([[3, 1]] * 5)
    one, again = (
        answer(Recites(7, 5, 1, 0.3), prompt, 8, 1.0, None, None, torch.Generator().manual_seed(2)) for _ in range(2)
    )
    torch.manual_seed(1)
    free = [answer(Recites(7, 5, 1, 0.3), prompt, 8) for _ in range(2)]
    if torch.equal(*free):
        return "two calls without a generator wrote the same text"
    return None if torch.equal(one, again) else "two calls with generators of the same seed wrote different texts"


@task.probe("the model is asked in eval mode, without gradients, and left as it came",
            "eval mode while it is asked, and every part in its own mode afterwards",
            "`model.eval()`, `torch.no_grad()`, or the lines that put the modes back", _MODES)  # fmt: skip
def manners(answer):
    """A model in train mode with one part in eval mode, and a call that fails."""
    model = Recites(7, 5)
    raw = unwrapped(model)
    raw.train()
    raw.part.eval()
    with torch.enable_grad():
        answer(model, torch.tensor([[1, 2]]), 2)
        recording = torch.is_grad_enabled()
    if not recording:
        torch.set_grad_enabled(True)
        raise Finding("after the call no gradient is recorded any more, in none of the cells that come",
                      "gradients that are recorded again after the call", "`torch.set_grad_enabled(False)` as a line "
                      "of its own lasts", "`with torch.no_grad():` ends with its block")  # fmt: skip
    if any(training for _, training, _, _ in raw.asked):
        return "the model was asked in training mode"
    if any(recorded for *_, recorded in raw.asked):
        return "the model was asked while gradients are recorded"
    if not raw.training:
        return "the model came in training mode and is left in eval mode"
    if raw.part.training:
        return "a part of the model came in eval mode and is left in training mode"
    raw.part.train()
    try:
        answer(model, torch.tensor([[99]]), 1)
    except IndexError:
        if not raw.training or not raw.part.training:
            return "after a call in which the model raised an error, it is left in another mode"
    return None


task.limits("no new token, and wrong input",
    [Case("no new token", cold(2, 3, 0)),
     refusal("an empty prompt", lambda draw: (Recites(), torch.zeros(1, 0, dtype=torch.long), 2), "prompt"),
     refusal("a prompt without a batch", lambda draw: (Recites(), torch.tensor([1, 2]), 2), "prompt"),
     refusal("fewer than no tokens", lambda draw: (Recites(), torch.tensor([[1]]), -1), "num_tokens")])  # fmt: skip
