"""Takes the weights apart, and computes gate by gate."""

CHANGES = [
    (
        "candidate = torch.tanh(of_word[2] + reset * of_state[2])",
        """w_in, w_hn = weight_ih.chunk(3)[2], weight_hh.chunk(3)[2]
    b_in, b_hn = bias_ih.chunk(3)[2], bias_hh.chunk(3)[2]
    candidate = torch.tanh(F.linear(x, w_in, b_in) + reset * F.linear(hidden, w_hn, b_hn))""",
    ),
]
