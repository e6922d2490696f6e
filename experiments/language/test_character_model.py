import pytest
import torch

from experiments.language.character_model import CharacterModel, turn
from experiments.language.muon import Muon, muon_and_adam, orthogonalize


def made(**sizes):
    torch.manual_seed(0)
    model = CharacterModel(9, d_model=16, num_heads=4, num_groups=2, d_ff=24, max_length=12, **sizes)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.4)
    return model.double()


@pytest.mark.parametrize("sizes", [{}, {"num_pairs": 81, "num_triples": 50}])
def test_no_position_feels_a_later_character(sizes):
    model, tokens = made(**sizes), torch.randint(9, (2, 12))
    before = model(tokens)
    for place in range(1, 12):
        other = tokens.clone()
        other[:, place] = (tokens[:, place] + 2) % 9
        assert torch.equal(model(other)[:, :place], before[:, :place])
        assert not torch.equal(model(other)[:, place], before[:, place])


def test_short_texts_work_and_long_ones_are_refused():
    model = made(num_pairs=81, num_triples=50)
    tokens = torch.randint(9, (1, 12))
    for length in (1, 2, 3):
        torch.testing.assert_close(model(tokens[:, :length]), model(tokens)[:, :length])
    with pytest.raises(ValueError, match="max_length = 12"):
        model(torch.zeros(1, 13, dtype=torch.long))


def test_pairs_and_triples_are_looked_up_by_the_last_characters():
    model = made(num_pairs=81, num_triples=4001)
    model.blocks = torch.nn.ModuleList()  # what is left sees nothing but the tables
    tokens = torch.tensor([[1, 2, 3, 4, 5, 3, 4, 5]])
    logits = model(tokens)[0]
    torch.testing.assert_close(logits[4], logits[7])  # 3 4 5 twice
    assert not torch.allclose(logits[2], logits[5])  # 2 3 and 5 3


def test_rotation_keeps_products_of_the_same_distance():
    angles = torch.arange(10.0).unsqueeze(1) * torch.tensor([1.0, 0.1, 0.01])
    query, key = torch.randn(1, 6, dtype=torch.float64), torch.randn(1, 6, dtype=torch.float64)
    cosine, sine = angles.cos().double(), angles.sin().double()
    product = [
        (turn(query, cosine[i], sine[i]) * turn(key, cosine[j], sine[j])).sum() for i, j in ((2, 0), (5, 3), (9, 7))
    ]
    torch.testing.assert_close(torch.stack(product), product[0].expand(3))
    torch.testing.assert_close(turn(query, cosine[7], sine[7]).norm(), query.norm())


@pytest.mark.parametrize("shape", [(5, 5), (4, 9), (9, 4)])
def test_a_matrix_is_turned_into_one_that_stretches_all_directions_alike(shape):
    torch.manual_seed(1)
    matrix = torch.randn(shape, dtype=torch.float64)
    left, _, right = torch.linalg.svd(matrix, full_matrices=False)
    found = orthogonalize(matrix)
    values = torch.linalg.svdvals(found)
    assert values.min() > 0.3
    assert values.max() < 1.3
    # The same singular vectors: in their coordinates the result is diagonal.
    inside = left.T @ found @ right.T
    torch.testing.assert_close(inside, inside.diagonal().diag(), atol=1e-9, rtol=0)


def test_muon_learns_a_matrix_and_takes_matrices_of_the_blocks_alone():
    torch.manual_seed(2)
    wanted, matrix = torch.randn(6, 4), torch.nn.Parameter(torch.zeros(6, 4))
    optimizer = Muon([matrix], lr=0.05)
    before = (matrix - wanted).square().sum().item()
    for _ in range(60):
        optimizer.zero_grad()
        (matrix - wanted).square().sum().backward()
        optimizer.step()
    assert (matrix - wanted).square().sum().item() < 0.1 * before
    model = made(num_pairs=81)
    muon, adam = muon_and_adam(model)
    chosen = [p for group in muon.param_groups for p in group["params"]]
    assert len(chosen) == 2 * 4
    assert sum(len(group["params"]) for group in adam.param_groups) + len(chosen) == len(list(model.parameters()))
