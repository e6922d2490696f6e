"""Wrong answers, written otherwise than those that the checks hold: exercise 13."""

import torch


def next_token_batch__not_shifted(tokens, starts, length):
    """the labels are the inputs"""
    pieces = torch.stack([tokens[int(start) : int(start) + length] for start in starts])
    return pieces, pieces.clone()


def sample_token__ties_are_drawn(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    """equal ones are still drawn"""
    left = _kept(logits / max(temperature, 1e-9), top_k, top_p)
    return (left - (-torch.rand(left.shape, generator=generator).double().log()).log()).argmax(-1)


def sample_token__one_number(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    """all rows of the batch share their random numbers"""
    if temperature == 0:
        return logits.argmax(-1)
    up_to = _kept(logits / temperature, top_k, top_p).softmax(-1).cumsum(-1)
    return (up_to <= torch.rand(1, generator=generator) * up_to[:, -1:]).sum(-1)


def _kept(logits, top_k, top_p):
    order = logits.argsort(dim=-1, descending=True, stable=True)
    ranked = logits.gather(-1, order)
    if top_k is not None:
        ranked[:, top_k:] = -torch.inf
    if top_p is not None:
        shares = ranked.softmax(-1)
        ranked[:, 1:][(shares.cumsum(-1) - shares)[:, 1:] >= top_p] = -torch.inf
    return torch.empty_like(logits).scatter(-1, order, ranked)


def induction_score__finds_itself(weights, tokens):
    """it finds itself"""
    places, seen = {}, []
    for place, token in enumerate(tokens.tolist()):
        again = token in places
        places[token] = place
        if again:
            seen.append(float(weights[place, min(places[token] + 1, len(tokens) - 1)]))
    return sum(seen) / len(seen) if seen else 0.0


def generate__modes_noted_too_late(model, prompt, num_tokens, temperature=1.0, top_k=None, top_p=None, generator=None):
    """noted only after"""
    model.eval()
    modes = {module: module.training for module in model.modules()}
    try:
        with torch.no_grad():
            for _ in range(num_tokens):
                logits = model(prompt[:, -model.max_length :])[:, -1]
                if temperature == 0:
                    new = logits.argmax(-1, keepdim=True)
                else:
                    kept = _kept(logits / temperature, top_k, top_p)
                    new = torch.multinomial(kept.softmax(-1), 1, generator=generator)
                prompt = torch.cat([prompt, new], 1)
    finally:
        for module, mode in modes.items():
            module.train(mode)
    return prompt
