"""Writes its own greedy loop, searches with the memory outside the state, and uses decorators."""

import torch

from transformer_course.rnn_encoder_decoder import beam_search
from transformer_course.sequence_transduction import pad_sequences


@torch.inference_mode()
def translate(model, source, max_length, beam_width=1, alpha=0.6):
    if source.ndim != 2 or max_length < 0 or beam_width <= 0:
        raise ValueError(f"source, max_length, beam_width: got {source.shape}, {max_length}, {beam_width}")
    modes = {module: module.training for module in model.modules()}
    model.eval()
    try:
        if beam_width == 1:
            memory = model.encode(source)
            target = torch.full((len(source), 1), 1)
            ended = torch.zeros(len(source), dtype=torch.bool)
            while target.shape[1] <= max_length and not ended.all():
                word = model.decode(target, memory, source)[:, -1].argmax(-1)
                word[ended] = 0
                target = torch.cat([target, word[:, None]], 1)
                ended |= word == 2
            return target[:, 1:]
        best = []
        for row in source:
            row = row[row != 0][None]
            memory = model.encode(row)

            def step(tokens, target, row=row, memory=memory):
                target = torch.cat([target, tokens[:, None]], 1)
                many = len(target)
                logits = model.decode(target, memory.expand(many, -1, -1), row.expand(many, -1))
                return logits[:, -1], target

            best.append(beam_search(step, row[:, :0], beam_width, max_length, alpha)[0][0])
        return pad_sequences(best)
    finally:
        for module, mode in modes.items():
            module.train(mode) if not list(module.children()) else setattr(module, "training", mode)
