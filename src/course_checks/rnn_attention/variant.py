"""What a variant of exercise 03 is drawn from."""

from course_checks.variants import Bug, Hunt

hunt = Hunt(
    "The decoder below is meant to be Bahdanau's: for every target word it first looks back with the state that it "
    "has, and then reads the word and what it saw. `embedded` `(batch, target_length, d)` are the target words, "
    "`hidden` `(batch, d_hidden)` the first state, `memory` `(batch, source_length, d_memory)` the states of the "
    "encoder and `mask` `(batch, source_length)` says which of them are real; every sentence has at least one. "
    "`cell(x, hidden)` returns the next state, `score(query, keys)` the scores. It returns the states `(batch, "
    "target_length, d_hidden)` and the weights `(batch, target_length, source_length)`, in this order.",
    (
        Bug(
            "scores = score(hidden, memory).masked_fill(~mask, -math.inf)",
            "scores = score(hidden, memory).masked_fill(~mask, 0.0)",
            "a hidden score becomes 0, which still has a weight",
        ),
        Bug(
            "weights = torch.softmax(scores, dim=-1)",
            "weights = torch.softmax(scores, dim=0)",
            "the weights are shared among the sentences",
        ),
        Bug(
            "weights = torch.softmax(scores, dim=-1)",
            "weights = torch.sigmoid(scores)",
            "each weight is made alone, and a row does not sum to 1",
        ),
        Bug(
            "context = (weights.unsqueeze(1) @ memory).squeeze(1)",
            "context = memory[torch.arange(len(memory)), weights.argmax(dim=-1)]",
            "only the source word with the largest weight is taken",
        ),
        Bug(
            "context = (weights.unsqueeze(1) @ memory).squeeze(1)",
            "context = memory.mean(dim=1)",
            "the mean of all states is taken, whatever the weights say",
        ),
        Bug(
            "hidden = cell(torch.cat([embedded[:, position], context], dim=-1), hidden)",
            "hidden = cell(torch.cat([embedded[:, position - 1], context], dim=-1), hidden)",
            "the word before is read",
        ),
        Bug(
            "hidden = cell(torch.cat([embedded[:, position], context], dim=-1), hidden)",
            "hidden = cell(torch.cat([context, embedded[:, position]], dim=-1), hidden)",
            "the context stands before the word",
        ),
    ),
    "You may use your `attend`, or `torch.softmax`. Wrong input is no concern of this task.",
)
