"""What a variant of exercise 05 is drawn from."""

from course_checks.variants import Bug, Hunt

hunt = Hunt(
    "`fixed_query_step(query, key, value, target, step_size)` looks something up with one query `(d_k,)`, compares "
    "the output with a target `(d_v,)`, and moves the query one step down the slope of "
    "$\\frac{1}{2}\\lVert\\text{output} - \\text{target}\\rVert^2$: gradient descent by hand. `key` has shape `(n, "
    "d_k)` and `value` `(n, d_v)`; the scores are divided by $\\sqrt{d_k}$. Ask autograd for the gradient of the "
    "loss, and compare direction and length of the step.",
    (
        Bug(
            "scale = math.sqrt(query.shape[-1])",
            "scale = math.sqrt(len(key))",
            "the root of the number of keys, not of the width",
        ),
        Bug("scale = math.sqrt(query.shape[-1])", "scale = query.shape[-1]", "the root is missing"),
        Bug(
            "weights = torch.softmax(key @ query / scale, dim=-1)",
            "weights = torch.softmax(key @ query, dim=-1)",
            "the scores are not divided",
        ),
        Bug(
            "weights = torch.softmax(key @ query / scale, dim=-1)",
            "weights = torch.softmax(key @ query * scale, dim=-1)",
            "the scores are multiplied",
        ),
        Bug(
            "grad_scores = weights * (grad_weights - weights @ grad_weights)",
            "grad_scores = weights * grad_weights",
            "only the diagonal of the Jacobian, without the square",
        ),
        Bug(
            "grad_scores = weights * (grad_weights - weights @ grad_weights)",
            "grad_scores = weights * (grad_weights - grad_weights.mean())",
            "a plain mean in the place of the weighted one",
        ),
        Bug(
            "grad_query = grad_scores @ key / scale",
            "grad_query = grad_scores @ key * scale",
            "multiplied in the place of divided",
        ),
        Bug(
            "return query - step_size * grad_query",
            "return query - step_size * grad_query / grad_query.norm()",
            "the length of the gradient is lost",
        ),
    ),
    "No autograd in it, and wrong input is no concern of this task.",
)
