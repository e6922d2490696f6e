"""Wrong answers, written otherwise than those that the checks hold: exercise 15."""

import torch


def image_to_patches__cut_with_a_loop(images, patch):
    """the patches come column by column"""
    rows, columns = images.shape[2] // patch, images.shape[3] // patch
    pieces = [
        images[:, :, i * patch : (i + 1) * patch, j * patch : (j + 1) * patch].flatten(1)
        for j in range(columns)
        for i in range(rows)
    ]
    return torch.stack(pieces, 1)


def prepend_class_token__behind(x, token):
    """behind the sequence"""
    longer = x.new_empty(x.shape[0], x.shape[1] + 1, x.shape[2])
    longer[:, :-1] = x
    longer[:, -1] = token[0, 0]
    return longer


def row_column_positions__columns_first(rows, columns):
    """the places come column by column"""
    return torch.stack([row + column for column in columns for row in rows])


def resized_positions__around_the_corner(vectors, number):
    """the index is -1"""
    rows = []
    for place in range(number):
        middle = (place + 0.5) * len(vectors) / number - 0.5
        low = int(middle // 1)
        rows.append(torch.lerp(vectors[low], vectors[min(low + 1, len(vectors) - 1)], middle - low))
    return torch.stack(rows)
