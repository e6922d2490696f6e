"""Four models that answer questions about the built-in scenes, and how they are trained and measured.

Each has two blocks: of words, of words and of patches, of both together, or of words that look at patches.

Dimension names: ``batch`` questions, ``m`` words, ``n`` patches, ``d_model`` the width of the models.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from experiments.questions.asking import ANSWERS, KINDS, QUESTION_LENGTH, QUESTION_WORDS, draw_questions
from transformer_course.data.scenes import CHANNELS, IMAGE_SIZE, PATCH, paint
from transformer_course.images_and_words import STD_OF_POSITIONS, CrossModalBlock, joint_mask, joint_sequence
from transformer_course.masking import padding_mask
from transformer_course.positional_encoding import TransformerEmbedding
from transformer_course.training.endless import train_endlessly
from transformer_course.transformer_blocks import EncoderBlock, LayerNorm
from transformer_course.vision_transformer import image_to_patches, row_column_positions

D_MODEL, NUM_HEADS, D_FF = 64, 4, 128
RATE, BATCH = 1e-3, 32


def _blocks(number: int) -> nn.ModuleList:
    return nn.ModuleList(EncoderBlock(D_MODEL, NUM_HEADS, D_FF, norm_first=True) for _ in range(number))


class PatchReader(nn.Module):
    """Turn pictures into vectors of their patches, and let these attend to one another in so many blocks."""

    def __init__(self, num_layers: int):
        super().__init__()
        side = IMAGE_SIZE // PATCH
        self.patch = nn.Linear(CHANNELS * PATCH * PATCH, D_MODEL)
        self.rows = nn.Parameter(STD_OF_POSITIONS * torch.randn(side, D_MODEL))
        self.columns = nn.Parameter(STD_OF_POSITIONS * torch.randn(side, D_MODEL))
        self.blocks = _blocks(num_layers)

    def forward(self, images: Tensor) -> Tensor:
        """Read ``(batch, channels, height, width)``: ``(batch, n, d_model)``."""
        x = self.patch(image_to_patches(images, PATCH)) + row_column_positions(self.rows, self.columns)
        for block in self.blocks:
            x = block(x)
        return x


class WordReader(nn.Module):
    """Turn sentences into vectors of their words, and let these attend to one another in so many blocks."""

    def __init__(self, vocab_size: int, max_length: int, num_layers: int):
        super().__init__()
        self.embedding = TransformerEmbedding(vocab_size, D_MODEL, max_length)
        self.blocks = _blocks(num_layers)

    def forward(self, tokens: Tensor) -> Tensor:
        """Read ``(batch, m)``: ``(batch, m, d_model)``."""
        x, mask = self.embedding(tokens), padding_mask(tokens)
        for block in self.blocks:
            x = block(x, mask)
        return x


def mean_of_words(x: Tensor, tokens: Tensor) -> Tensor:
    """Average the vectors ``(batch, m, d_model)`` of the real words of ``(batch, m)``: ``(batch, d_model)``."""
    real = padding_mask(tokens)[:, 0, 0, :, None].to(x.dtype)  # (batch, m, 1)
    return (x * real).sum(dim=1) / real.sum(dim=1)


class Answerer(nn.Module):
    """What the four have in common: a head that gives logits for the answers from vectors of the words."""

    def __init__(self, width: int = D_MODEL):
        super().__init__()
        self.head = nn.Sequential(LayerNorm(width), nn.Linear(width, D_FF), nn.GELU(), nn.Linear(D_FF, len(ANSWERS)))


class LanguageAlone(Answerer):
    """Answer without a look at the picture: what the questions give away."""

    def __init__(self):
        super().__init__()
        self.words = WordReader(len(QUESTION_WORDS), QUESTION_LENGTH, num_layers=2)

    def forward(self, images: Tensor, questions: Tensor) -> Tensor:
        """Give the logits ``(batch, answers)``."""
        return self.head(mean_of_words(self.words(questions), questions))


class LateFusion(Answerer):
    """Make one vector of the picture and one of the question, each without knowing the other."""

    def __init__(self):
        super().__init__(2 * D_MODEL)
        self.words = WordReader(len(QUESTION_WORDS), QUESTION_LENGTH, num_layers=1)
        self.patches = PatchReader(num_layers=1)

    def forward(self, images: Tensor, questions: Tensor) -> Tensor:
        """Give the logits ``(batch, answers)``."""
        question = mean_of_words(self.words(questions), questions)
        return self.head(torch.cat([question, self.patches(images).mean(dim=1)], dim=-1))


class JointEncoder(Answerer):
    """Put words and patches into one sequence, where everyone attends to everyone."""

    def __init__(self):
        super().__init__()
        self.words = WordReader(len(QUESTION_WORDS), QUESTION_LENGTH, num_layers=0)
        self.patches = PatchReader(num_layers=0)
        self.types = nn.Parameter(STD_OF_POSITIONS * torch.randn(2, D_MODEL))
        self.blocks = _blocks(2)

    def forward(self, images: Tensor, questions: Tensor) -> Tensor:
        """Give the logits ``(batch, answers)``."""
        patches = self.patches(images)  # (batch, n, d_model)
        x = joint_sequence(self.words(questions), patches, self.types)  # (batch, m + n, d_model)
        mask = joint_mask(questions, patches.shape[1])
        for block in self.blocks:
            x = block(x, mask)
        return self.head(mean_of_words(x[:, : questions.shape[1]], questions))


class CrossAttention(Answerer):
    """Let the words look at the patches, each of which has been read by itself."""

    def __init__(self):
        super().__init__()
        self.words = WordReader(len(QUESTION_WORDS), QUESTION_LENGTH, num_layers=0)
        self.patches = PatchReader(num_layers=0)
        self.norm = LayerNorm(D_MODEL)
        self.blocks = nn.ModuleList(CrossModalBlock(D_MODEL, NUM_HEADS, D_FF) for _ in range(2))

    def forward(self, images: Tensor, questions: Tensor) -> Tensor:
        """Give the logits ``(batch, answers)``."""
        x, mask = self.words(questions), padding_mask(questions)
        patches = self.norm(self.patches(images))
        for block in self.blocks:
            x = block(x, patches, mask)
        return self.head(mean_of_words(x, questions))


MODELS = {
    "language alone": LanguageAlone,
    "late fusion": LateFusion,
    "joint encoder": JointEncoder,
    "cross attention": CrossAttention,
}


def train_answerer(
    model: Answerer, seed: int, num_steps: int | None = None, cpu_seconds: float | None = None, batch: int = BATCH
) -> list[float]:
    """Train on questions about scenes of the training split, new ones in every update.

    Args:
        model: one of ``MODELS``.
        seed: of scenes and questions.
        num_steps: updates; or
        cpu_seconds: seconds of the processor.
        batch: questions of an update.

    Returns:
        The loss before each update, in nats.
    """
    generator = torch.Generator().manual_seed(seed)
    kept: list[tuple[Tensor, ...]] = []

    def loss_of_batch() -> Tensor:
        if not kept:  # questions are found faster many at a time
            scenes, questions, answers, _ = draw_questions(32 * batch, "train", generator)
            for start in range(0, 32 * batch, batch):
                chosen = slice(start, start + batch)
                kept.append((scenes[chosen], questions[chosen], answers[chosen]))
        scenes, questions, answers = kept.pop()
        images, _ = paint(scenes, generator)
        return F.cross_entropy(model(images, questions), answers)

    return train_endlessly(model, loss_of_batch, RATE, num_steps, cpu_seconds)


@torch.no_grad()
def score_answers(model: Answerer, split: str = "test", count: int = 2000) -> dict[str, float]:
    """Measure the share of right answers, for all questions (``all``) and for each of ``KINDS``."""
    generator = torch.Generator().manual_seed(16)
    scenes, questions, answers, kinds = draw_questions(count, split, generator)
    images, _ = paint(scenes, generator)
    right = (model(images, questions).argmax(dim=-1) == answers).double()
    of_kinds = {kind: right[kinds == number].mean().item() for number, kind in enumerate(KINDS)}
    return {"all": right.mean().item(), **of_kinds}
