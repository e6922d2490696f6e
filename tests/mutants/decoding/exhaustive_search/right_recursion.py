"""Goes through the tree of words, and asks for one prefix at a time."""

import torch


def exhaustive_search(model, source, words, max_length):
    with torch.no_grad():
        memory = model.encode(source)

        def best_from(prefix, total):
            logits = model.decode(torch.tensor([[1, *prefix]]), memory, source)[0, -1]
            following = torch.log_softmax(logits.double(), 0)
            found = [([*prefix, 2], total + float(following[2]))]
            for word in words:
                score = total + float(following[word])
                longer = [*prefix, word]
                found.append((longer, score) if len(longer) == max_length else best_from(longer, score))
            return max(found, key=lambda pair: pair[1])

        return best_from([], 0.0)
