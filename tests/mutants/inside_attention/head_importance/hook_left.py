"""Silences by a hook that stays."""

SAYS = "heads stay silent"
CHANGES = [
    (
        "weight[:, index * attention.d_k : (index + 1) * attention.d_k] = 0.0",
        """columns = slice(index * attention.d_k, (index + 1) * attention.d_k)
                places = torch.arange(columns.start, columns.stop)
                attention.w_output.register_forward_pre_hook(
                    lambda module, inputs, places=places: (inputs[0].index_fill(-1, places, 0.0),)
                )""",
    ),
]
