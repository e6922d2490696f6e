"""Training on small pictures: a Vision Transformer, the networks beside it, and the measures of chapter 15."""

import time
from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from transformer_course.common.validation import require_one_of, require_positive, require_positive_number
from transformer_course.data.pictures import Pictures, moved
from transformer_course.interpret.recording import AttentionRecorder
from transformer_course.vision_transformer import STD, VisionTransformer, image_to_patches, patches_to_image

SIZES = {"image_size": 12, "patch": 2, "channels": 1, "num_classes": 10, "d_model": 48, "d_ff": 96}
Budget = Callable[[int], float]
BATCH = 32
WARMUP = 0.1  # share of the time in which the learning rate rises; it falls to zero in the rest
ONE_PIXEL = ((-1, 0), (1, 0), (0, -1), (0, 1))
WITHIN_ONE = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1))


class ConvNet(nn.Module):
    """A convolutional network with about as many parameters as the Vision Transformer beside it.

    Source: LeCun et al. (1998), "Gradient-Based Learning Applied to Document Recognition", section II; Lin et al.
    (2014), "Network In Network", section 3.2, for the mean over all places at the end.

    Args:
        channels: of the pictures.
        num_classes: how many things a picture may show.
        image_size: height and width in pixels, a multiple of 4.
        width: channels of the first two layers; the third has twice as many.
        pooled: True = the mean over all places goes to the last layer; False = all places, side by side.
    """

    def __init__(self, channels: int = 1, num_classes: int = 10, image_size: int = 12, width: int = 36,
                 pooled: bool = True):  # fmt: skip
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        )  # fmt: skip
        self.pooled = pooled
        self.head = nn.Linear(2 * width if pooled else 2 * width * (image_size // 4) ** 2, num_classes)

    def forward(self, images: Tensor) -> Tensor:
        """Say what each picture shows: ``(batch, channels, height, width)`` to logits ``(batch, num_classes)``."""
        x = self.layers(images)  # (batch, 2 * width, height / 4, width / 4)
        return self.head(x.mean(dim=(2, 3)) if self.pooled else x.flatten(start_dim=1))


class OtherPositions(VisionTransformer):
    """A Vision Transformer whose positions are of another kind, or start with another size.

    Source: Dosovitskiy et al. (2021), appendix D.4, table 8.

    Args:
        kind: ``"rows and columns"``, ``"table"`` (a vector of its own for each place) or ``"none"``.
        std: standard deviation with which the vector of a place starts; that of the class token stays.
        **sizes: of the model.
    """

    def __init__(self, kind: str, std: float, **sizes: int):
        super().__init__(**sizes)
        require_one_of("kind", kind, ("rows and columns", "table", "none"))
        self.kind = kind
        with torch.no_grad():
            for part in (self.rows, self.columns):
                part.mul_(std / STD)
        if kind == "table":
            places = super().positions()[1:].detach()
            self.table = nn.Parameter(std * torch.randn(places.shape))
        if kind != "rows and columns":
            del self.rows, self.columns

    def positions(self) -> Tensor:
        """Give the vectors that are added: ``(1 + num_patches, d_model)``."""
        if self.kind == "rows and columns":
            return super().positions()
        if self.kind == "table":
            return torch.cat([self.class_position, self.table])
        num_patches = (self.image_size // self.patch_size) ** 2
        return F.pad(self.class_position, (0, 0, 0, num_patches))


class LogisticRegression(nn.Module):
    """A weight for each pixel and class, fitted by scikit-learn; to be called like a network.

    Args:
        pictures: to learn from.
        strength: how much the squares of the weights cost; scikit-learn's C is its inverse.
        shifts: learn each picture moved by each of these ``(down, right)``.
    """

    def __init__(self, pictures: Pictures, strength: float = 1.0, shifts: Sequence[tuple[int, int]] = ((0, 0),)):
        super().__init__()
        from sklearn.linear_model import LogisticRegression as Fit  # a second to import, needed only here

        images = torch.cat([moved(pictures.images, *shift) for shift in shifts]).flatten(start_dim=1)
        labels = pictures.labels.repeat(len(shifts))
        fit = Fit(C=1 / strength, max_iter=3000).fit(images.numpy(), labels.numpy())
        weight = np.zeros((len(pictures.classes), images.shape[1]))
        bias = np.full(len(pictures.classes), -1e4)  # a class that was never seen is never said
        weight[fit.classes_], bias[fit.classes_] = fit.coef_, fit.intercept_
        self.weight, self.bias = (nn.Parameter(torch.tensor(x, dtype=torch.float32)) for x in (weight, bias))

    def forward(self, images: Tensor) -> Tensor:
        """Say what each picture shows: logits ``(batch, num_classes)``."""
        return F.linear(images.flatten(start_dim=1), self.weight, self.bias)


def for_seconds(seconds: float) -> Budget:
    """Give a training so many seconds of the processor, from now on."""
    require_positive_number("seconds", seconds)
    start = time.process_time()
    return lambda updates: (time.process_time() - start) / seconds


def for_updates(number: int) -> Budget:
    """Give a training so many updates."""
    require_positive("number", number)
    return lambda updates: updates / number


def train_on_pictures(
    make: Callable[[], nn.Module],
    pictures: Pictures,
    budget: Budget,
    rate: float,
    seed: int = 0,
    shifts: Sequence[tuple[int, int]] = ((0, 0),),
    weight_decay: float = 0.05,
) -> tuple[nn.Module, int]:
    """Make a network and train it with Adam, as long as a budget lasts.

    The learning rate rises in a line, then falls to zero along a half cosine, by the share of the budget that is spent.

    Source: Loshchilov & Hutter (2019), "Decoupled Weight Decay Regularization".

    Args:
        make: makes the network; its numbers follow from the seed.
        pictures: to learn from.
        budget: ``for_seconds`` or ``for_updates``; says after each update which share is spent.
        rate: the largest learning rate.
        seed: of the network, the batches and the shifts.
        shifts: each picture of a batch is moved by one of these ``(down, right)``, drawn anew.
        weight_decay: as in ``torch.optim.AdamW``.

    Returns:
        The network in evaluation mode, and the number of updates.
    """
    torch.manual_seed(seed)
    model = make().train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=weight_decay, betas=(0.9, 0.99))
    generator, updates, done = torch.Generator().manual_seed(seed), 0, 0.0
    views = torch.stack([moved(pictures.images, *shift) for shift in shifts])  # (shifts, number, channels, ...)
    while done < 1:
        for batch in torch.randperm(len(pictures), generator=generator).split(min(BATCH, len(pictures))):
            if len(batch) < min(BATCH, len(pictures)):
                continue
            which = torch.randint(len(views), (len(batch),), generator=generator)
            loss = F.cross_entropy(model(views[which, batch]), pictures.labels[batch])
            for group in optimizer.param_groups:
                group["lr"] = rate * min(done / WARMUP, (1 + np.cos(np.pi * done)) / 2)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            updates += 1
            done = budget(updates)
            if done >= 1:
                break
    return model.eval(), updates


@torch.no_grad()
def accuracy(model: nn.Module, pictures: Pictures, down: int = 0, right: int = 0) -> float:
    """Return the share of pictures whose largest logit is that of their class, all of them moved alike."""
    said = model(moved(pictures.images, down, right)).argmax(dim=-1)
    return (said == pictures.labels).double().mean().item()


def accuracy_moved(model: nn.Module, pictures: Pictures, shifts: Sequence[tuple[int, int]] = ONE_PIXEL) -> float:
    """Return the mean accuracy over several shifts; by default one pixel up, down, left, right."""
    return sum(accuracy(model, pictures, *shift) for shift in shifts) / len(shifts)


@torch.no_grad()
def class_attention(model: VisionTransformer, images: Tensor) -> Tensor:
    """Return what the class token attends to in the last block, the mean over its heads: ``(batch, num_patches)``.

    What it gives to itself is left out, so a row sums to at most 1.
    """
    with AttentionRecorder(model) as recorder:
        model(images)
    return recorder.maps[-1].weights.mean(dim=1)[:, 0, 1:]


def without_patches(images: Tensor, patch: int, importance: Tensor, number: int) -> Tensor:
    """Blank some patches of each picture, those that are most important first.

    Args:
        images: ``(batch, channels, height, width)``.
        patch: side of a patch.
        importance: ``(batch, num_patches)``.
        number: how many patches to set to zero.

    Returns:
        The pictures that are left.
    """
    patches = image_to_patches(images, patch)
    gone = importance.argsort(dim=1, descending=True)[:, :number]  # (batch, number)
    patches = patches.scatter(1, gone[..., None].expand(-1, -1, patches.shape[2]), 0.0)
    return patches_to_image(patches, *images.shape[1:], patch)
