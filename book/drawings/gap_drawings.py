"""Drawings of chapter 14: a gap and who may help with it, the model, what becomes of chosen words, four sentences."""

from collections.abc import Sequence

from drawings.drawing import Drawing


def one_side_and_both() -> Drawing:
    """Draw the same gap for a model that writes from left to right, and for one that reads both ways."""
    words = ("the", "men", "that", "she", "saw", "?", "tired")
    drawing = Drawing(
        640,
        270,
        "The words: the men that she saw, a masked word, tired. Above, a language model: arrows come to the masked "
        "word from the five words before it alone. Below, a masked language model: arrows come from both sides, also "
        "from the word after it.",
    )
    for row, (name, sees) in enumerate((("language model", 5), ("masked language model", 7))):
        top = 72 + row * 134
        drawing.text(20, top + 46, name, bold=True, anchor="start")
        for place, word in enumerate(words):
            x = 20 + place * 87
            gap = word == "?"
            drawing.box(x, top, 76, 32, word, role="target" if gap else "source" if place < sees else "masked",
                        dashed=gap or place >= sees, bold=gap)  # fmt: skip
            if place < sees and not gap:
                end = 20 + 5 * 87 + 38 + (-22 + 8 * place if place < 5 else 22)
                bend = 0.15 * (end - x - 38)
                drawing.arrow(x + 38, top - 2, end, top - 2, role="source", bend=bend, width=1.4)
    return drawing


def the_model() -> Drawing:
    """Draw the model: words and places, blocks, the table of words once more."""
    drawing = Drawing(
        640,
        330,
        "From bottom to top. A sentence with a masked word: the, MASK, sees, two, dogs. Each token takes its row from "
        "the table of word embeddings, and the embedding of its position is added. Two blocks attend in both "
        "directions. The result is multiplied by the same table: a logit for each word of the vocabulary at each "
        "position. Only at the masked position is a loss, with the word owl as its label.",
    )
    words = ("the", "[MASK]", "sees", "two", "dogs")
    for place, word in enumerate(words):
        x = 90 + place * 92
        gap = place == 1
        drawing.box(x, 284, 82, 32, word, role="target" if gap else "source", dashed=gap)
        drawing.arrow(x + 41, 282, x + 41, 252)
        drawing.arrow(x + 41, 214, x + 41, 188)
        drawing.arrow(x + 41, 120, x + 41, 92, role="target" if gap else "plain")
        role = "target" if gap else "masked"
        drawing.box(x, 58, 82, 32, "logits", role=role, dashed=not gap)
    drawing.box(90, 216, 450, 34, "word embedding + position embedding", role="state")
    drawing.box(90, 122, 450, 64, "blocks that attend in both directions,\nand a last norm", role="state")
    drawing.arrow(131 + 92, 56, 131 + 92, 36, role="target")
    drawing.text(131 + 92, 20, "loss: was it owl?", role="target", bold=True)
    drawing.text(384, 34, "no loss at the other words", size=13)
    drawing.line(552, 233, 606, 233, role="key")
    drawing.line(606, 233, 606, 74, role="key")
    drawing.arrow(606, 74, 552, 74, role="key")
    drawing.text(634, 43, "the same embeddings", size=13, role="key", anchor="end")
    return drawing


def fates() -> Drawing:
    """Draw what can become of a chosen word: masked, replaced by a random word, or left as it is."""
    drawing = Drawing(
        640,
        252,
        "The sentence: the owl sees two dogs. The word owl has been chosen. Three arrows lead to three versions of the "
        "sentence. In 80 of 100 cases owl becomes MASK; in 10 it becomes a random word, here apple; in 10 it stays. In "
        "each the label of this position is owl, and the other words have none.",
    )

    def sentence(left: int, top: int, second: str, role: str) -> None:
        x = left
        for place, word in enumerate(("the", second, "sees", "two", "dogs")):
            width = 64 if place == 1 else 48
            drawing.box(
                x, top, width, 30, word, role=role if place == 1 else "source", dashed=word == "[MASK]", size=13
            )
            x += width + 4

    drawing.text(10, 20, "chosen: owl", anchor="start", bold=True)
    sentence(10, 112, "owl", "target")
    for row, (share, word, role, words) in enumerate(
        (
            ("80%", "[MASK]", "masked", "masked"),
            ("10%", "apple", "key", "random"),
            ("10%", "owl", "target", "unchanged"),
        )
    ):
        top = 32 + 80 * row
        drawing.arrow(288, 127, 356, top + 15, role="target", width=3 if row == 0 else 1.6)
        drawing.text((302, 338, 302)[row], (78, 114, 178)[row], share, size=13)
        sentence(362, top, word, role)
        drawing.text(446, top - 12, words, size=13)
        drawing.text(446, top + 43, "label: owl", size=13, role="target")
    return drawing


def bert_input() -> Drawing:
    """Draw BERT's input, three embeddings for each token, and what is predicted from which output."""
    tokens = ("[CLS]", "owls", "[MASK]", "[SEP]", "it", "hoot", "##s", "[SEP]")
    drawing = Drawing(
        480,
        408,
        "From bottom to top. Eight tokens: CLS, owls, MASK, SEP, it, hoot, ##s, SEP. For each, three embeddings are "
        "added: of the token; of the segment, A for the first four and B for the last four; and of the position, 0 to "
        "7. They go into BERT. Above it, in pretraining, next sentence or not is predicted from the output at CLS, and "
        "the masked word from the output at MASK. Above that, in fine-tuning, one of three: a class from the output at "
        "CLS, start and end of an answer from the outputs of the second segment, or a tag from each word's output.",
    )
    left, step, wide = 92, 48, 46
    middle = [left + step * place + wide / 2 for place in range(len(tokens))]
    for row, (y, name) in enumerate(((370, "token"), (332, "+ segment"), (294, "+ position"))):
        drawing.text(84, y + 14, name, size=13, anchor="end")
        for place, token in enumerate(tokens):
            second = place > 3
            words = (token, "B" if second else "A", str(place))[row]
            role = ("target" if token == "[MASK]" else "source", "key" if second else "query", "state")[row]
            drawing.box(left + step * place, y, wide, 28, f"{words}\u200b", role=role, size=12)
    drawing.box(left, 218, 8 * step - 2, 48, "BERT: blocks that attend\nin both directions", role="state")
    for place, x in enumerate(middle):
        drawing.arrow(x, 292, x, 268)
        drawing.line(x, 216, x, 198, role="target" if place in (0, 2) else "plain")
    drawing.text(84, 180, "pretraining", size=13, anchor="end", bold=True)
    drawing.box(left, 164, wide, 32, "NSP", role="target", size=12)
    drawing.box(middle[2] - 46, 164, 92, 32, "MLM: hunt?", role="target", size=12)
    drawing.line(4, 146, 476, 146, width=0.8)
    for name, y in (("fine-tuning", 122), ("or", 78), ("or", 34)):
        drawing.text(84, y, name, size=13, anchor="end", bold=name != "or")
    drawing.box(left, 106, wide, 32, "class", role="value", size=12)
    drawing.box(left + 4 * step, 62, 3 * step - 2, 32, "start, end of answer", role="value", size=12)
    for place, token in enumerate(tokens):
        if token not in ("[CLS]", "[SEP]"):
            drawing.box(left + step * place, 18, wide, 32, "tag", role="value", size=12)
            drawing.line(middle[place], 52, middle[place], 60, role="value")
        if 4 <= place < 7:
            drawing.line(middle[place], 96, middle[place], 104, role="value")
    drawing.line(middle[0], 140, middle[0], 146, role="value")
    return drawing


def square_of_four(
    phrases: Sequence[str], verbs: Sequence[str], sentences: Sequence[str], right: Sequence[bool]
) -> Drawing:
    """Draw a group: two subjects, two forms of the verb, four sentences.

    Args:
        phrases: the two subjects, with their number.
        verbs: the two forms of the verb.
        sentences: one for each, row by row.
        right: which of them are right.
    """
    said = "; ".join(f"{s}: {'right' if r else 'wrong'}" for s, r in zip(sentences, right, strict=True))
    drawing = Drawing(640, 214, f"Four sentences in a square: rows are subjects, columns forms of the verb. {said}.")
    for column, verb in enumerate(verbs):
        drawing.text(260 + column * 254, 20, verb, bold=True)
    for row, phrase in enumerate(phrases):
        for i, part in enumerate(phrase.split("\n")):
            drawing.text(66, 72 + 84 * row + 20 * i, part, bold=i == 0, size=14)
    for place, (sentence, good) in enumerate(zip(sentences, right, strict=True)):
        x, y = 136 + (place % 2) * 254, 38 + (place // 2) * 84
        drawing.box(x, y, 246, 72, sentence, role="value" if good else "target", dashed=not good)
        drawing.text(x + 232, y + 14, "✓" if good else "✗", bold=True, role="value" if good else "target")
    return drawing


def candidates(
    words: Sequence[str], guesses: Sequence[Sequence[tuple[str, float]]], shown: int = 5, first: int = 0
) -> Drawing:
    """Mask one word after the other, and show what could stand there; a picture to step through.

    Args:
        words: the sentence.
        guesses: for each place words with their probabilities, the most probable first.
        shown: how many of them are drawn.
        first: the place with which the steps begin; the others follow in their order, and then those before it.
    """
    widths = [max(30, 8.5 * len(word) + 12) for word in words]
    gap = 4
    left = (480 - sum(widths) - gap * (len(words) - 1)) / 2
    told = "; ".join(
        f"{word}: {', '.join(f'{guess} {p:.2f}' for guess, p in each[:3])}"
        for word, each in zip(words, guesses, strict=True)
    )
    height = 104 + 30 * shown
    drawing = Drawing(480, height, f"The words of a sentence are masked one by one. What could stand there: {told}.")
    starts = [left + sum(widths[:i]) + gap * i for i in range(len(words))]
    for word, x, width in zip(words, starts, widths, strict=True):
        drawing.box(x, 18, width, 34, word, role="source")
    for place in (*range(first, len(words)), *range(first)):
        word, each = words[place], guesses[place]
        rank = next((i for i, (guess, _) in enumerate(each, start=1) if guess == word), None)
        found = dict(each).get(word, 0.0)
        where = f"rank {rank} of {len(each)}" if rank else f"not among the first {len(each)}"
        said = f"{found:.2f}" if found >= 0.005 else "less than 0.01"
        drawing.step(f"“{word}” is masked. It has probability {said} there, {where}.")
        drawing.only()
        x, width = starts[place], widths[place]
        drawing.box(x - 3, 15, width + 6, 40, role="target", dashed=True)
        drawing.arrow(x + width / 2, 56, min(max(x + width / 2, 120), 420), 80, role="target")
        for i, (guess, p) in enumerate(each[:shown]):
            y = 90 + 30 * i
            own = guess == word
            drawing.text(106, y + 11, f"{guess}\u200b", anchor="end", bold=own)  # one letter alone would be italic
            drawing.box(116, y, max(2, 310 * p), 22, "", role="target" if own else "weights")
            drawing.text(124 + 310 * p, y + 11, f"{p:.2f}", anchor="start", size=13)
    return drawing
