"""What a variant of exercise 14 is drawn from."""

from course_checks.masked_language_model.predictions import predictions, sum_of_scores
from course_checks.variants import Bug, Hunt, Question, Questions, between

hunt = Hunt(
    "`fixed_scores(model, tokens, mask_id)` returns the scores of task 5, for models in evaluation mode that pad "
    "with `PAD`, from **one** call of the model for the whole batch: with `length` copies of each sentence, and in "
    "each copy another place hidden. The check counts the calls. Compare it with your own function: on one "
    "sentence, on two of equal length, and on two of different lengths.",
    (
        Bug(
            "rows, places = torch.arange(batch * length), torch.arange(length).repeat(batch)",
            "rows, places = torch.arange(batch * length), torch.arange(length).repeat_interleave(batch)",
            "the places come in the order of the sentences",
        ),
        Bug(
            "copies[rows, places] = torch.where(tokens.flatten() == PAD, PAD, mask_id)",
            "copies[rows, places] = torch.where(tokens.flatten() == PAD, PAD, copies[rows, places])",
            "nothing is hidden",
        ),
        Bug(
            "copies[rows, places] = torch.where(tokens.flatten() == PAD, PAD, mask_id)",
            "copies[:, 0] = torch.where(copies[:, 0] == PAD, PAD, mask_id)",
            "the first place is hidden in every copy",
        ),
        Bug(
            "said = model(copies)[rows, places].log_softmax(dim=-1)",
            "said = model(copies)[rows, places].softmax(dim=-1)",
            "the probabilities are added, not their logarithms",
        ),
        Bug(
            "said = model(copies)[rows, places].log_softmax(dim=-1)",
            "said = model(copies)[rows, places - 1].log_softmax(dim=-1)",
            "what is said at the place before is read",
        ),
        Bug(
            "said = model(copies)[rows, places].log_softmax(dim=-1)",
            "said = model(copies)[rows, places].log_softmax(dim=0)",
            "the logits are normalised over the copies",
        ),
        Bug(
            "found = said.gather(1, tokens.reshape(-1, 1)).view(batch, length)",
            "found = said.gather(1, tokens.T.reshape(-1, 1)).view(batch, length)",
            "the words are looked up in the order of the places",
        ),
        Bug(
            "found = said.gather(1, tokens.reshape(-1, 1)).view(batch, length)",
            "found = said.amax(dim=1).view(batch, length)",
            "the most probable word in the place of the one that stands there",
        ),
        Bug(
            "return found.masked_fill(tokens == PAD, 0.0).sum(dim=1)",
            "return found.masked_fill(tokens == PAD, 0.0).mean(dim=1)",
            "the mean over the length in the place of the sum",
        ),
        Bug(
            "return found.masked_fill(tokens == PAD, 0.0).sum(dim=1)",
            "return found.masked_fill(tokens == PAD, 0.0).sum(dim=1) / (tokens != PAD).sum(dim=1)",
            "divided by the number of words",
        ),
    ),
)


def _spoken(key: str, text: str, joint: list[list[float]]) -> Question:
    return Question(key, text, lambda: sum_of_scores(joint), f'    "{key}": {joint},')


questions = Questions(
    predictions,
    "The probabilities of all sentences of a language add up to 1. A masked model gives no probability of a sentence; "
    "it gives, for each word, the probability of that word when all the others are seen. Multiply these, and call the "
    "product the score of the sentence.\n\nThink of languages whose sentences have two words, each of them A or B, and "
    "of a model that knows its language perfectly. What do the scores of all sentences that are spoken in a language "
    "add up to, if",
    'Answer each with `"below 1"`, `"1"` or `"above 1"`. A cell after task 5 measures it with your own function, '
    "another "
    "compares, and you may come back.",
    "sums",
    between("for name, joint in {\n", "}.items():"),
    (
        _spoken("the first word is A", "AA has the probability 0.7 and AB 0.3", [[0.7, 0.3], [0.0, 0.0]]),
        _spoken("the second word is B", "AB has the probability 0.6 and BB 0.4", [[0.0, 0.6], [0.0, 0.4]]),
        _spoken("all four alike", "all four have the probability 0.25", [[0.25, 0.25], [0.25, 0.25]]),
        _spoken("mostly A", "AA has 0.81, AB and BA have 0.09 each, and BB has 0.01", [[0.81, 0.09], [0.09, 0.01]]),
        _spoken("never B twice", "AA has 0.5, AB and BA have 0.25 each", [[0.5, 0.25], [0.25, 0.0]]),
        _spoken("mostly twice the same", "AA and BB have 0.4 each, AB and BA 0.1 each", [[0.4, 0.1], [0.1, 0.4]]),
        _spoken("AA or BB, one rare", "AA has 0.9 and BB 0.1", [[0.9, 0.0], [0.0, 0.1]]),
        _spoken("three of four", "AA, AB and BB have a third each", [[1 / 3, 1 / 3], [0.0, 1 / 3]]),
    ),
)
