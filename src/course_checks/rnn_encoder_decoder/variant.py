"""What a variant of exercise 02 is drawn from."""

from course_checks.variants import Bug, Hunt

hunt = Hunt(
    "`fixed_ranking(hypotheses, alpha)` sorts what a beam search has found. `hypotheses` is a list of pairs: "
    "tokens, which here begin with BOS, and the sum of the log probabilities. It returns pairs `(tokens, score)`, "
    "tokens without BOS, the best score first; the score is the sum divided by the length penalty of task 5.",
    (
        Bug(
            "ranked = [(tokens[1:], total / ((4 + len(tokens)) / 6) ** alpha) for tokens, total in hypotheses]",
            "ranked = [(tokens[1:], total / ((3 + len(tokens)) / 6) ** alpha) for tokens, total in hypotheses]",
            "EOS is not counted either",
        ),
        Bug(
            "ranked = [(tokens[1:], total / ((4 + len(tokens)) / 6) ** alpha) for tokens, total in hypotheses]",
            "ranked = [(tokens[1:], total * ((4 + len(tokens)) / 6) ** alpha) for tokens, total in hypotheses]",
            "the sums are multiplied with the penalty",
        ),
        Bug(
            "ranked = [(tokens[1:], total / ((4 + len(tokens)) / 6) ** alpha) for tokens, total in hypotheses]",
            "ranked = [(tokens[1:], total / (len(tokens) - 1) ** alpha) for tokens, total in hypotheses]",
            "the sums are divided by a power of the length itself",
        ),
        Bug(
            "ranked = [(tokens[1:], total / ((4 + len(tokens)) / 6) ** alpha) for tokens, total in hypotheses]",
            "ranked = [(tokens[1:-1], total / ((4 + len(tokens)) / 6) ** alpha) for tokens, total in hypotheses]",
            "EOS is cut off with BOS",
        ),
        Bug(
            "return sorted(ranked, key=lambda pair: pair[1], reverse=True)",
            "return sorted(ranked, key=lambda pair: pair[1])",
            "the worst one stands first",
        ),
        Bug(
            "return sorted(ranked, key=lambda pair: pair[1], reverse=True)",
            "return sorted(ranked, key=lambda pair: len(pair[0]), reverse=True)",
            "the list is sorted by length",
        ),
        Bug(
            "return sorted(ranked, key=lambda pair: pair[1], reverse=True)",
            "return sorted(ranked, reverse=True)",
            "the list is sorted by the tokens",
        ),
    ),
    "Rank two hypotheses by hand first. Wrong input is no concern of this task.",
)
