"""Returns a tensor."""

SAYS = "object of type Tensor"
CHANGES = [
    (
        "return d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5)",
        "return torch.tensor(d_model**-0.5 * min(step**-0.5, step * warmup_steps**-1.5))",
    ),
]
