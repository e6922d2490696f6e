"""Returns a tensor."""

SAYS = "still a tensor"
CHANGES = [
    (
        "return 1 - (len(links & sure) + len(links & allowed)) / (len(links) + len(sure))",
        "return torch.tensor(1 - (len(links & sure) + len(links & allowed)) / (len(links) + len(sure)))",
    ),
]
