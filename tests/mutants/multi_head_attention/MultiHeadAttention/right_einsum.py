"""Writes cutting, attention and gluing as sums over named indices."""

CHANGES = [
    (
        "return self.w_output(merge_heads(mixed)), weights",
        """w_output = self.w_output.weight.unflatten(1, (self.num_heads, self.d_k))  # (d_model, heads, d_k)
        output = torch.einsum('bhmk,dhk->bmd', mixed, w_output)
        return output if self.w_output.bias is None else output + self.w_output.bias, weights""",
    ),
    (
        "queries = split_heads(self.w_query(query), self.num_heads)  # (batch, heads, m, d_k)",
        "queries = torch.einsum('bmhk->bhmk', self.w_query(query).unflatten(-1, (self.num_heads, self.d_k)))",
    ),
]
