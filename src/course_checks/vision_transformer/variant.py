"""What a variant of exercise 15 is drawn from."""

from course_checks.variants import Bug, Hunt

hunt = Hunt(
    "`fixed_embedding(images, patch, weight, bias, token, rows, columns)` embeds pictures without any class. Its "
    "result has shape `(batch, 1 + num_patches, d_model)`: the token alone at position 0; after it patch by patch, "
    "in the order of task 2, the linear layer of its numbers (also in the order of task 2) plus `rows[i]` plus "
    "`columns[j]` of its place. Try small pictures whose result you know: set `weight` and `bias` to zero and see "
    "what is left; or let `weight` pick out one pixel.",
    (
        Bug(
            "patches = F.unfold(images, patch, stride=patch).transpose(1, 2)",
            "patches = F.unfold(images.transpose(2, 3), patch, stride=patch).transpose(1, 2)",
            "rows and columns of the picture are exchanged",
        ),
        Bug(
            "patches = F.unfold(images, patch, stride=patch).transpose(1, 2)",
            "patches = F.unfold(images, patch, stride=patch).transpose(1, 2).flip(1)",
            "the patches come from the end",
        ),
        Bug(
            "x = torch.cat([token.expand(len(images), -1, -1), F.linear(patches, weight, bias)], dim=1)",
            "x = torch.cat([F.linear(patches, weight, bias), token.expand(len(images), -1, -1)], dim=1)",
            "the token stands at the end",
        ),
        Bug(
            "x = torch.cat([token.expand(len(images), -1, -1), F.linear(patches, weight, bias)], dim=1)",
            "x = torch.cat([token.expand(len(images), -1, -1), F.linear(patches, weight)], dim=1)",
            "the bias is missing",
        ),
        Bug(
            "positions = (rows[:, None] + columns).flatten(end_dim=1)",
            "positions = (rows[:, None] * columns).flatten(end_dim=1)",
            "multiplied in the place of added",
        ),
        Bug(
            "positions = (rows[:, None] + columns).flatten(end_dim=1)",
            "positions = rows.repeat_interleave(len(columns), dim=0)",
            "the columns are missing",
        ),
        Bug(
            "positions = (rows[:, None] + columns).flatten(end_dim=1)",
            "positions = (rows[:, None] + columns).flip(1).flatten(end_dim=1)",
            "the columns are counted from the right",
        ),
        Bug(
            "return x + F.pad(positions, (0, 0, 1, 0))",
            "return x + F.pad(positions, (0, 0, 1, 0), value=1.0)",
            "1 is added to the token",
        ),
        Bug(
            "return x + F.pad(positions, (0, 0, 1, 0))",
            "return x * F.pad(positions, (0, 0, 1, 0), value=1.0)",
            "multiplied in the place of added",
        ),
    ),
    "Wrong input is no concern of this task, and you may use your functions of tasks 2, 4 and 5, or torch's.",
)
