"""What a variant of exercise 11 is drawn from."""

from course_checks.variants import Bug, Hunt

hunt = Hunt(
    "`fixed_steps` is a decoder of one layer that goes through a sentence one position at a time. As fast decoders "
    "do, it makes room for the keys and values of all positions at once, and fills it as it goes. Its logits "
    "`(batch, length, vocab_size)` should be those of `all_at_once`, and are not. `embedding` is a "
    "`TransformerEmbedding`: look at `help(TransformerEmbedding.forward)`.",
    (
        Bug("x = embedding(token, start=t)", "x = embedding(token, start=t + 1)", "the positions begin at 1"),
        Bug(
            "x = embedding(token, start=t)",
            "x = embedding(token, start=tokens.shape[1] - 1 - t)",
            "the positions count from the end",
        ),
        Bug(
            "query = split_heads(attention.w_query(x), attention.num_heads)",
            "query = split_heads(x, attention.num_heads)",
            "the query is not projected",
        ),
        Bug(
            "keys[:, :, t] = split_heads(attention.w_key(x), attention.num_heads)[:, :, 0].detach()",
            "keys[:, :, t] = split_heads(attention.w_query(x), attention.num_heads)[:, :, 0].detach()",
            "the key comes from the projection of the query",
        ),
        Bug(
            "values[:, :, t] = split_heads(attention.w_value(x), attention.num_heads)[:, :, 0].detach()",
            "values[:, :, t] = split_heads(attention.w_key(x), attention.num_heads)[:, :, 0].detach()",
            "the value comes from the projection of the key",
        ),
        Bug(
            "heads = F.scaled_dot_product_attention(query, keys[:, :, : t + 1], values[:, :, : t + 1])",
            "heads = F.scaled_dot_product_attention(query, keys[:, :, t : t + 1], values[:, :, t : t + 1])",
            "each position sees itself alone",
        ),
        Bug(
            "heads = F.scaled_dot_product_attention(query, keys[:, :, : t + 1], values[:, :, : t + 1])",
            "heads = F.scaled_dot_product_attention(query, keys[:, :, : t + 1], values[:, :, : t + 1], scale=1.0)",
            "the scores are not divided",
        ),
        Bug(
            "logits.append(output_layer(attention.w_output(merge_heads(heads))))",
            "logits.append(output_layer(merge_heads(heads)))",
            "the output of the heads is not projected",
        ),
    ),
)
