"""A caption model and a cross-modal block that can be built with mistakes, and torch's own as oracles."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_checks.transformer.shared import Attention, Block, Embedding, by_torch, causal


class Wrongly(nn.Module):
    """A module with the choices in ``wrong``; without any, it is right."""

    wrong: dict[str, Any] = {}

    def chose(self, dimension: str, *choices: str) -> bool:
        """Say whether one of these choices was made."""
        return self.wrong.get(dimension) in choices


class Captioner(Wrongly):
    """The caption model, with the names of the task."""

    def __init__(
        self, image_size, patch, channels, vocab_size, d_model=64, num_heads=4, num_layers=2, d_ff=128, max_length=32,
        dropout=0.0, pooled=False,
    ):  # fmt: skip
        super().__init__()
        self.side, self.size, self.pooled = image_size // patch, patch, pooled
        if image_size % patch:
            raise ValueError("patch: expected a divisor of image_size")
        self.picture = (channels, image_size, image_size)
        self.max_length = 512 if self.chose("sizes", "max_length") else max_length
        num_heads = 1 if self.chose("sizes", "one head") else num_heads
        d_ff = 4 * d_model if self.chose("sizes", "d_ff") else d_ff
        self.patch = nn.Linear(channels * patch * patch, d_model)
        self.rows, self.columns = (nn.Parameter(torch.randn(self.side, d_model)) for _ in range(2))
        drop = [0.0 if self.chose("dropout", each, "nowhere") else dropout for each in ("embedding", "blocks")]
        self.embedding = Embedding(vocab_size, d_model, drop[0])
        first = not self.chose("norms", "post")
        for stack, writes in (("encoder", False), ("decoder", True)):
            other = self.chose(stack, "other blocks")
            blocks = [Block(d_model, num_heads, d_ff, drop[1], first, writes != other) for _ in range(num_layers)]
            blocks = blocks[:1] * num_layers if self.chose(stack, "one object") else blocks
            setattr(self, f"{stack}_blocks", blocks if self.chose(stack, "plain list") else nn.ModuleList(blocks))
            self.add_module(f"{stack}_norm", nn.LayerNorm(d_model))
        self.output = nn.Linear(d_model, vocab_size)

    def _cut(self, images: Tensor) -> Tensor:
        batch, side, size = len(images), self.side, self.size
        if self.chose("patches", "strips"):
            return images.reshape(batch, side * side, -1)
        cut = images.unfold(2, size, size).unfold(3, size, size)  # (batch, channels, rows, columns, patch, patch)
        cut = cut.permute(0, 3, 2, 1, 4, 5) if self.chose("patches", "columns") else cut.permute(0, 2, 3, 1, 4, 5)
        cut = cut.permute(0, 1, 2, 4, 5, 3) if self.chose("patches", "channels last") else cut
        return cut.reshape(batch, side * side, -1)

    def _places(self) -> Tensor:
        rows, columns = self.rows[:, None], self.columns[None]
        return {
            "exchanged": lambda: self.rows[None] + self.columns[:, None],
            "rows alone": lambda: rows + 0 * columns,
            "columns alone": lambda: 0 * rows + columns,
            "none": lambda: 0 * (rows + columns),
        }.get(self.wrong.get("positions"), lambda: rows + columns)().flatten(0, 1)

    def _last(self, stack: str, x: Tensor) -> Tensor:
        if self.chose("norms", f"{stack} not called", f"{stack} loop", "not called"):
            return x
        other = {"encoder": "decoder", "decoder": "encoder"}[stack] if self.chose("norms", "exchanged") else stack
        return getattr(self, f"{other}_norm")(x)

    def _blocks(self, stack: str) -> list:
        blocks = list(getattr(self, f"{stack}_blocks"))
        blocks = blocks[::-1] if self.chose(stack, "backwards") else blocks
        return blocks[:1] if self.chose(stack, "first only") else blocks

    def _bent(self, block: nn.Module, x: Tensor) -> Tensor:
        layers, drop = block.feed_forward, block.dropout
        x = x + drop(block.self_attention(block.norm_1(x), block.norm_1(x), None, "mask"))
        return x + drop(layers["linear_2"](drop(F.gelu(layers["linear_1"](block.norm_2(x))))))

    def _read(self, x: Tensor) -> Tensor:
        start = x
        for block in self._blocks("encoder"):
            mask = causal(x[..., 0]) if self.chose("encoder", "causal") else None
            if self.chose("encoder", "gelu"):
                x = self._bent(block, x)
                continue
            x = block(start if self.chose("encoder", "not chained") else x, mask)
            x = self.encoder_norm(x) if self.chose("norms", "encoder loop") else x
        return x

    def _write(self, x: Tensor, memory: Tensor) -> Tensor:
        mask = {
            "none": None, "inverted": ~causal(x[..., 0]), "transposed": causal(x[..., 0]).mT,
            "one ahead": causal(x[..., 0], 1), "strict": causal(x[..., 0], -1),
        }.get(self.wrong.get("future"), causal(x[..., 0]))  # fmt: skip
        start = x
        for block in self._blocks("decoder"):
            if self.chose("memory", "changed places"):
                x = block(memory, causal(memory[..., 0]), x)
                continue
            said = block(start if self.chose("decoder", "not chained") else x, mask, memory)
            if self.chose("memory", "overwritten"):
                memory = said
                continue
            x = self.decoder_norm(said) if self.chose("norms", "decoder loop") else said
        return memory if self.chose("memory", "overwritten") else x

    def encode(self, images: Tensor) -> Tensor:
        """Read."""
        if tuple(images.shape[1:]) != self.picture:
            raise ValueError("images: expected another shape")
        late = self.chose("positions", "after the encoder")
        x = self.patch(self._cut(images)) * (self.patch.out_features**0.5 if self.chose("patches", "scaled") else 1)
        x = x if late else x + self._places()
        pooled = (self.pooled or self.chose("pooled", "always")) and not self.chose("pooled", "never")
        if pooled and self.chose("pooled", "before the blocks"):
            x = x.mean(1, keepdim=True)
        x = x if self.chose("memory", "embedding") else self._read(x)
        if pooled and self.chose("pooled", "before the norm"):
            x = x.mean(1, keepdim=True)
        memory = self._last("encoder", x) + (self._places() if late else 0)
        memory = memory.detach() if self.chose("memory", "detached") else memory
        if pooled:
            memory = {
                "sum": lambda: memory.sum(1, keepdim=True), "largest": lambda: memory.amax(1, keepdim=True),
                "first": lambda: memory[:, :1], "features": lambda: memory.mean(2, keepdim=True),
                "repeated": lambda: memory.mean(1, keepdim=True).expand_as(memory),
            }.get(self.wrong.get("pooled"), lambda: memory.mean(1, keepdim=True))()  # fmt: skip
        return memory

    def decode(self, target: Tensor, memory: Tensor) -> Tensor:
        """Write."""
        if target.shape[1] > self.max_length:
            raise ValueError("target: expected max_length words or fewer")
        x = self.embedding(target)
        if self.chose("words", "no positions"):
            x = self.embedding.token(target) * x.shape[-1] ** 0.5
        elif self.chose("words", "no positions, not scaled"):
            x = self.embedding.token(target)
        logits = self.output(self._last("decoder", self._write(x, memory)))
        logits = logits[:, -1] if self.chose("result", "last position") else logits
        names = {"softmax": torch.softmax, "log_softmax": torch.log_softmax}
        return names[self.wrong["result"]](logits, -1) if self.chose("result", *names) else logits

    def forward(self, images: Tensor, target: Tensor) -> Tensor:
        """Read, then write."""
        if self.chose("memory", "not encoded"):
            return self.decode(target, self.patch(self._cut(images)))
        return self.decode(target, self.encode(images))


class RightCaptioner(Captioner):
    """The same parameters, run by torch's own layers and a convolution."""

    def encode(self, images: Tensor) -> Tensor:
        """Read."""
        kernel = self.patch.weight.unflatten(1, (-1, self.size, self.size))
        x = F.conv2d(images, kernel, self.patch.bias, stride=self.size)  # (batch, d_model, rows, columns)
        x = (x + self.rows.T[:, :, None] + self.columns.T[:, None, :]).flatten(2).transpose(1, 2)
        for block in self.encoder_blocks:
            x = by_torch(block, x)
        memory = self.encoder_norm(x)
        return memory.mean(1, keepdim=True) if self.pooled else memory

    def decode(self, target: Tensor, memory: Tensor) -> Tensor:
        """Write."""
        later = nn.Transformer.generate_square_subsequent_mask(target.shape[1]).isinf()
        x = self.embedding(target)
        for block in self.decoder_blocks:
            x = by_torch(block, x, memory, tgt_mask=later)
        return self.output(self.decoder_norm(x))


class Crossing(Wrongly):
    """The cross-modal block, with the names of the task."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0):
        super().__init__()
        heads = 1 if self.chose("made", "one head") else num_heads
        self.self_attention, self.cross_attention = Attention(d_model, heads), Attention(d_model, heads)
        layers = {"linear_1": nn.Linear(d_model, d_ff), "linear_2": nn.Linear(d_ff, d_model)}
        self.feed_forward = nn.ModuleDict(layers)
        for number in (1, 2, 3):
            self.add_module(f"norm_{number}", nn.LayerNorm(d_model))
        self.dropout = nn.Dropout(0.0 if self.chose("made", "no dropout") else dropout)

    def _sublayers(self, text_mask: Tensor | None, image: Tensor) -> list:
        first, second = self.self_attention, self.cross_attention
        if self.chose("attention", "exchanged"):
            first, second = second, first
        elif self.chose("attention", "one"):
            second = first
        own = {
            "unused": None, "inverted": None if text_mask is None else ~text_mask,
        }.get(self.wrong.get("mask"), text_mask)  # fmt: skip

        def look(y: Tensor) -> Tensor:
            seen = self.norm_2(image) if self.chose("reads", "normalised patches") else image
            if self.chose("reads", "patches ask"):
                return second(seen, y, None, "text_mask").mean(1, keepdim=True).expand_as(y)
            if self.chose("reads", "words again"):
                return second(y, y, own, "text_mask")
            if self.chose("reads", "both"):
                seen = torch.cat([y, seen], dim=1)
            return second(y, seen, None, "text_mask")

        def think(y: Tensor) -> Tensor:
            layers = self.feed_forward
            drop = nn.Identity() if self.chose("made", "dropout inside") else self.dropout
            return layers["linear_2"](drop(F.relu(layers["linear_1"](y))))

        def ask(y: Tensor) -> Tensor:
            mask = causal(y[..., 0]) if self.chose("mask", "causal") else own
            return first(y, y, mask, "text_mask")

        return [ask, look, think]

    def forward(self, text: Tensor, image: Tensor, text_mask: Tensor | None = None) -> Tensor:
        """Run the sublayers."""
        steps = self._sublayers(text_mask, image)
        norms = [self.norm_1, self.norm_2, self.norm_3]
        if self.chose("order", "patches first"):
            steps[:2], norms[:2] = steps[1::-1], norms[1::-1]
        if self.chose("norms", "exchanged"):
            norms[:2] = norms[1::-1]
        norms = [self.norm_1] * 3 if self.chose("norms", "one") else norms
        norms[1] = self.norm_1 if self.chose("norms", "one for two") else norms[1]
        x = start = text
        for number, (step, norm) in enumerate(zip(steps, norms, strict=True), start=1):
            name = ("words", "patches", "feed-forward")[number - 1]
            if self.chose("missing", name):
                continue
            read = start if self.chose("order", "beside") else x
            drop = nn.Identity() if self.chose("dropped", f"not {name}", "nothing") else self.dropout
            if self.chose("norms", "post"):
                x = norm(x + drop(step(read)))
                continue
            normed = read if self.chose("norms", f"none before {name}") else norm(read)
            if name == "words" and self.chose("reads", "query alone"):
                said = self.self_attention(normed, read, text_mask, "text_mask")
            else:
                said = step(normed)
            if self.chose("dropped", "sum"):
                x = self.dropout(x + said)
                continue
            x = start if name == "patches" and self.chose("residual", "from the start") else x
            x = norm(x) if self.chose("residual", f"normed before {name}") else x
            x = drop(said) if self.chose("residual", f"without {name}") else x + drop(said)
        return self.norm_3(x) if self.chose("norms", "one more") else x


class RightCrossing(Crossing):
    """The same parameters, run by torch's decoder layer, which has no causal mask of its own."""

    writes = True
    norm_first = True

    def forward(self, text: Tensor, image: Tensor, text_mask: Tensor | None = None) -> Tensor:
        """Run the layer; a mask for each head and query, where one is given."""
        if text_mask is None:
            return by_torch(self, text, image)
        heads = self.self_attention.num_heads
        hidden = ~text_mask.expand(len(text), heads, text.shape[1], text.shape[1])
        return by_torch(self, text, image, tgt_mask=hidden.flatten(0, 1))
