"""What a variant of exercise 12 is drawn from."""

from course_checks.variants import Bug, Hunt

hunt = Hunt(
    '`fixed_diversity(weights)` is one number for a layer, "how alike the heads are": the mean cosine of two '
    "different heads that read the same sentence, over all pairs and sentences. `weights` has shape `(batch, heads, "
    "m, n)`, with two heads or more. It returns a Python number. Try it on maps for which you know the answer, such "
    "as two heads that never look at the same key.",
    (
        Bug("maps = weights.flatten(start_dim=2)", "maps = weights.mean(dim=2)", "the queries are averaged first"),
        Bug("maps = weights.flatten(start_dim=2)", "maps = weights[:, :, 0]", "only the first query counts"),
        Bug(
            "directions = maps / maps.norm(dim=-1, keepdim=True)",
            "directions = maps / maps.sum(dim=-1, keepdim=True)",
            "divided by the sum, not by the length",
        ),
        Bug("directions = maps / maps.norm(dim=-1, keepdim=True)", "directions = maps", "not divided by the length"),
        Bug(
            "cosines = directions @ directions.transpose(-2, -1)",
            "cosines = directions @ maps.transpose(-2, -1)",
            "one factor is not divided by its length",
        ),
        Bug(
            "different = ~torch.eye(weights.shape[1], dtype=torch.bool)",
            "different = torch.ones(weights.shape[1], weights.shape[1], dtype=torch.bool).tril()",
            "each head is compared with itself too",
        ),
        Bug(
            "return cosines[:, different].mean().item()",
            "return cosines[:, different].amax(dim=-1).mean().item()",
            "the most alike pair of each sentence",
        ),
        Bug(
            "return cosines[:, different].mean().item()",
            "return cosines[:, different].sum(dim=-1).mean().item()",
            "the pairs are summed up",
        ),
    ),
    "Wrong input and maps of zeros are no concern of this task, and `torch.nn.functional.cosine_similarity` is "
    "allowed.",
)
