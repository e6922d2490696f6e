"""Lets torch.func find the derivative."""

SAYS = "your code called"
CHANGES = [
    (
        "return (torch.diag_embed(weights) - products) / scale",
        "return torch.func.vmap(torch.func.jacrev(lambda x: softmax(x / scale)))(scores)",
    ),
]
