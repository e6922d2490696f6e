"""Where real pictures come from: addresses, checksums, licences, names of files."""

DIGITS_LICENCE = (
    "Optical Recognition of Handwritten Digits (E. Alpaydin, C. Kaynak, 1998), UCI Machine Learning Repository, "
    "https://doi.org/10.24432/C50P49. Licence: CC BY 4.0. Distributed with scikit-learn."
)

FASHION_MNIST_URL = "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com"
FASHION_MNIST_LICENCE = (
    "Fashion-MNIST (https://github.com/zalandoresearch/fashion-mnist), Zalando SE. Licence: MIT. "
    "Cite Xiao et al. (2017), Fashion-MNIST: a Novel Image Dataset for Benchmarking Machine Learning Algorithms."
)
FASHION_MNIST_CLASSES = (
    "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot",
)  # fmt: skip
FASHION_MNIST_SHA256 = {
    "train-images-idx3-ubyte.gz": "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
    "train-labels-idx1-ubyte.gz": "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
    "t10k-images-idx3-ubyte.gz": "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
    "t10k-labels-idx1-ubyte.gz": "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
}

CIFAR10_URL = "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz"
CIFAR10_SHA256 = "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd"
CIFAR10_LICENCE = (
    "CIFAR-10 (https://www.cs.toronto.edu/~kriz/cifar.html). Its page names no licence, and asks for a citation: "
    "Krizhevsky (2009), Learning Multiple Layers of Features from Tiny Images."
)
CIFAR10_CLASSES = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")


def fashion_mnist_names(split: str) -> tuple[str, str]:
    """Return the names of the files of a split, pictures and labels.

    Raises:
        ValueError: if the split is unknown.
    """
    prefix = _choose(split, {"train": "train", "test": "t10k"})
    return f"{prefix}-images-idx3-ubyte.gz", f"{prefix}-labels-idx1-ubyte.gz"


def cifar10_members(split: str) -> tuple[str, ...]:
    """Return the names of the files of a split inside the archive.

    Raises:
        ValueError: if the split is unknown.
    """
    train = tuple(f"data_batch_{number}.bin" for number in range(1, 6))
    return _choose(split, {"train": train, "test": ("test_batch.bin",)})


def _choose(split: str, choices: dict):
    if split not in choices:
        raise ValueError(f"split: expected train or test, got {split!r}")
    return choices[split]
