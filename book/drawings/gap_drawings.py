"""Drawings of chapter 14: a gap and who may help with it, the model, what becomes of chosen words, four sentences."""

from collections.abc import Sequence

from drawings.drawing import Drawing


def one_side_and_both() -> Drawing:
    """Draw the same gap for a model that writes from left to right, and for one that reads both ways."""
    words = ("the", "men", "that", "she", "saw", "?", "tired")
    drawing = Drawing(
        640,
        270,
        "The words: the men that she saw, a gap, tired. Above, a language model: arrows come to the gap from the five "
        "words before it alone. Below, a masked language model: arrows come from both sides, also from the word after "
        "the gap.",
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
        "From bottom to top. A sentence with a gap: the, MASK, sees, two, dogs. Each token takes its row from a table "
        "of words, and the vector of its place is added. Two blocks read all words in both directions. The result is "
        "compared with every row of the same table: a logit for each word of the vocabulary at each place. Only at the "
        "gap is a loss, with the word owl as its label.",
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
    drawing.box(90, 216, 450, 34, "row of the table of words + vector of the place", role="state")
    drawing.box(90, 122, 450, 64, "blocks that read in both directions,\nand a last norm", role="state")
    drawing.arrow(131 + 92, 56, 131 + 92, 36, role="target")
    drawing.text(131 + 92, 20, "loss: was it owl?", role="target", bold=True)
    drawing.text(384, 34, "no loss at the other words", size=13)
    drawing.line(552, 233, 606, 233, role="key")
    drawing.line(606, 233, 606, 74, role="key")
    drawing.arrow(606, 74, 552, 74, role="key")
    drawing.text(634, 52, "the same table", size=13, role="key", anchor="end")
    return drawing


def fates() -> Drawing:
    """Draw what becomes of a hundred words when 15 % are chosen and 80, 10 and 10 % of these treated differently."""
    drawing = Drawing(
        640,
        196,
        "A bar of a hundred words. 85 are not chosen: no loss. 15 are chosen, and the model is asked for all of them. "
        "Below, the chosen ones drawn wider: 12 become MASK, 1.5 become a random word, 1.5 stay as they are.",
    )
    drawing.box(20, 24, 510, 38, "85 are only read", role="source")
    drawing.box(530, 24, 90, 38, "15 asked", role="target")
    drawing.line(530, 64, 40, 112, role="target", dashed=True)
    drawing.line(620, 64, 620, 112, role="target", dashed=True)
    drawing.box(40, 114, 424, 38, "12 become [MASK]", role="masked")
    drawing.box(464, 114, 78, 38, "1.5", role="key")
    drawing.box(542, 114, 78, 38, "1.5", role="value")
    drawing.text(503, 172, "random", size=13, role="key")
    drawing.text(581, 172, "unchanged", size=13, role="value")
    drawing.text(252, 172, "of 100 words", size=13)
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


def candidates(words: Sequence[str], guesses: Sequence[Sequence[tuple[str, float]]], shown: int = 5) -> Drawing:
    """Hide one word after the other, and show what could stand there; a picture to step through.

    Args:
        words: the sentence.
        guesses: for each place words with their probabilities, the most probable first.
        shown: how many of them are drawn.
    """
    widths = [max(44, 10 * len(word) + 16) for word in words]
    gap = 6
    left = (640 - sum(widths) - gap * (len(words) - 1)) / 2
    told = "; ".join(
        f"{word}: {', '.join(f'{guess} {p:.2f}' for guess, p in each[:3])}"
        for word, each in zip(words, guesses, strict=True)
    )
    height = 104 + 30 * shown
    drawing = Drawing(640, height, f"The words of a sentence are hidden one by one. What could stand there: {told}.")
    starts = [left + sum(widths[:i]) + gap * i for i in range(len(words))]
    for word, x, width in zip(words, starts, widths, strict=True):
        drawing.box(x, 18, width, 34, word, role="source")
    for place, (word, each) in enumerate(zip(words, guesses, strict=True)):
        rank = next((i for i, (guess, _) in enumerate(each, start=1) if guess == word), None)
        found = dict(each).get(word, 0.0)
        where = f"rank {rank} of what the model expects" if rank else "not among the words that the model expects"
        drawing.step(f"“{word}” is hidden. It has probability {found:.2f} there, {where}.")
        drawing.only()
        x, width = starts[place], widths[place]
        drawing.box(x - 3, 15, width + 6, 40, role="target", dashed=True)
        drawing.arrow(x + width / 2, 56, min(max(x + width / 2, 200), 440), 80, role="target")
        for i, (guess, p) in enumerate(each[:shown]):
            y = 90 + 30 * i
            own = guess == word
            drawing.text(196, y + 11, f"{guess}\u200b", anchor="end", bold=own)  # one letter alone would be italic
            drawing.box(206, y, max(2, 330 * p), 22, "", role="target" if own else "weights")
            drawing.text(214 + 330 * p, y + 11, f"{p:.2f}", anchor="start", size=13)
    return drawing
