"""Readers of pictures, on small files of our own; the digits as scikit-learn has them."""

import gzip
import io
import struct
import tarfile

import pytest
import torch

from transformer_course.data import picture_sources, pictures
from transformer_course.data.pictures import load_cifar10, load_digits, load_fashion_mnist, moved, read_idx

IMAGES = bytes(range(0, 240, 5)) * 49  # 3 pictures of 28 x 28
LABELS = bytes([3, 0, 9])


def idx(data: bytes, *shape: int) -> bytes:
    return bytes([0, 0, 8, len(shape)]) + struct.pack(f">{len(shape)}I", *shape) + data


def write_fashion(folder, compressed: bool) -> None:
    for name, data in (("images-idx3", idx(IMAGES, 3, 28, 28)), ("labels-idx1", idx(LABELS, 3))):
        path = folder / f"t10k-{name}-ubyte{'.gz' * compressed}"
        path.write_bytes(gzip.compress(data) if compressed else data)


@pytest.mark.parametrize("compressed", [True, False])
def test_fashion_mnist_from_a_folder(tmp_path, compressed):
    write_fashion(tmp_path, compressed)
    clothes = load_fashion_mnist("test", tmp_path)
    assert clothes.images.shape == (3, 1, 28, 28)
    assert clothes.labels.tolist() == [3, 0, 9]
    assert (clothes.images[0, 0, 0, :3] * 255).tolist() == pytest.approx([0, 5, 10])
    assert clothes.classes[9] == "Ankle boot"
    assert "MIT" in clothes.licence
    assert len(clothes[1:]) == 2


def test_fashion_mnist_says_what_is_wrong(tmp_path):
    with pytest.raises(ValueError, match="folder: expected t10k-images-idx3-ubyte or t10k-images"):
        load_fashion_mnist("test", tmp_path)
    with pytest.raises(ValueError, match="split: expected train or test, got 'val'"):
        load_fashion_mnist("val", tmp_path)
    path = tmp_path / "x"
    path.write_bytes(idx(LABELS, 4))
    with pytest.raises(ValueError, match=r"expected 4 numbers for shape \[4\], got 3"):
        read_idx(path)
    path.write_bytes(b"PK\x03\x04")
    with pytest.raises(ValueError, match="begins with the bytes 0, 0, 8"):
        read_idx(path)


def test_a_download_goes_through_the_checksum(tmp_path, monkeypatch):
    asked = []

    def pretend(url, path, sha256, progress):
        asked.append((url, sha256))
        return tmp_path / path.name

    monkeypatch.setattr(pictures, "download", pretend)
    write_fashion(tmp_path, compressed=True)
    assert len(load_fashion_mnist("test")) == 3
    sums = picture_sources.FASHION_MNIST_SHA256
    assert asked == [(f"{picture_sources.FASHION_MNIST_URL}/{name}", sums[name]) for name in list(sums)[2:]]
    assert all(len(each) == 64 for each in (*sums.values(), picture_sources.CIFAR10_SHA256))


def records(*labels: int) -> bytes:
    return b"".join(bytes([label]) + bytes([label] * 1024 + [1] * 1024 + [2] * 1024) for label in labels)


@pytest.mark.parametrize("form", ["archive", "folder"])
def test_cifar10(tmp_path, form):
    files = {f"data_batch_{n}.bin": records(n, 9) for n in range(1, 6)} | {"test_batch.bin": records(7)}
    path = tmp_path / "cifar-10-binary.tar.gz"
    if form == "archive":
        with tarfile.open(path, "w:gz") as archive:
            for name, data in files.items():
                member = tarfile.TarInfo(f"cifar-10-batches-bin/{name}")
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
    else:
        path = tmp_path
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
    train, test = load_cifar10("train", path), load_cifar10("test", path)
    assert train.labels.tolist() == [1, 9, 2, 9, 3, 9, 4, 9, 5, 9]
    assert train.images.shape == (10, 3, 32, 32)
    assert (train.images[2, :, 5, 5] * 255).tolist() == pytest.approx([2, 1, 2])
    assert test.labels.tolist() == [7]
    assert test.classes[7] == "horse"


def test_cifar10_says_what_is_wrong(tmp_path):
    with pytest.raises(ValueError, match=r"got no test_batch\.bin"):
        load_cifar10("test", tmp_path)
    (tmp_path / "test_batch.bin").write_bytes(records(7)[:-1])
    with pytest.raises(ValueError, match="expected records of 3073 bytes, got 3072"):
        load_cifar10("test", tmp_path)


def test_digits_are_split_once_and_keep_their_ink_when_moved():
    train, test = load_digits()
    assert (len(train), len(test)) == (1297, 500)
    assert train.images.shape[1:] == (1, 12, 12)
    everything = torch.cat([train.images, test.images]).flatten(1)
    assert len(everything.unique(dim=0)) == 1797
    assert test.images.max() == 1
    assert test.labels.bincount().min() >= 40
    for down in (-2, 2):
        assert moved(test.images, down, down).sum() == pytest.approx(test.images.sum().item())
    again = load_digits()[1]
    assert torch.equal(again.images, test.images)


def test_moved_by_hand():
    images = torch.arange(9).view(3, 3)
    assert moved(images, down=1).tolist() == [[0, 0, 0], [0, 1, 2], [3, 4, 5]]
    assert moved(images, right=-1).tolist() == [[1, 2, 0], [4, 5, 0], [7, 8, 0]]
    assert moved(images, -1, 1).tolist() == [[0, 3, 4], [0, 6, 7], [0, 0, 0]]
    with pytest.raises(ValueError, match="images: expected at least 2 dimension"):
        moved(torch.zeros(3))
