"""Where real parallel text comes from: addresses, checksums, licences."""

TATOEBA_URL = "https://www.manythings.org/anki/fra-eng.zip"
TATOEBA_LICENCE = (
    "Sentence pairs of the Tatoeba project (https://tatoeba.org), selected by https://www.manythings.org/anki. "
    "Licence: CC BY 2.0 FR (https://creativecommons.org/licenses/by/2.0/fr/). Each pair names its authors: keep the "
    "attribution with the sentence."
)

MULTI30K_URL = "https://raw.githubusercontent.com/multi30k/dataset/master/data/task1"
MULTI30K_LICENCE = (
    "Multi30k, task 1 (https://github.com/multi30k/dataset), derived from Flickr30k. For researchers and educators who "
    "use it for non-commercial research or education. "
    "Cite Elliott et al. (2016), Multi30K: Multilingual English-German "
    "Image Descriptions; Elliott et al. (2017) for French; Barrault et al. (2018) for Czech."
)
MULTI30K_SPLITS = ("train", "val", "test_2016_flickr")
MULTI30K_LANGUAGES = ("en", "de", "fr", "cs")

# The raw files are compressed, the tokenised ones are plain text at their source.
MULTI30K_SHA256 = {
    "train.de.gz": "726e39b2fa9eb9ffb6dc763fb35a179f80fae06ffc5d28b6ace5faa883de28a6",
    "train.en.gz": "d79cfa999dd4c51d2cb42499b6796d5a882c3a8a961923c25a898c90f8bbd56f",
    "train.fr.gz": "622e75069e9f4c577425c4f277116ce66e63a2401c0a2312d90073cb12379a3c",
    "val.de.gz": "f0cba2f995189cf5770f29a8a9a537a3ad3f51657ad873405082ff6863a5e75a",
    "val.en.gz": "14f7d25ddd868909a9213e361768460edcacdd6ab9d1e77b92560dc10c10dc28",
    "val.fr.gz": "ca3106f1a72390591d25f6c45cb4cd39dec4cd3f123e099748a3ce5256c160e9",
    "test_2016_flickr.de.gz": "9204244e408ccb38d2a55cfcd344df15005fc42a07a6e55ca6c52b6ababb8cc8",
    "test_2016_flickr.en.gz": "611d361c6334bc7246101d48097c13cf5c4413c5befc793cc629934359d532d9",
    "test_2016_flickr.fr.gz": "6d326e188d259fb1d04ac19eae3af956559b3a0b93d7635e56c90987c40c8b90",
    "train.lc.norm.tok.de": "cb5a23529b65ec2061f1dc446192a9c37382b63cc75f81a0be59d34894b3a505",
    "train.lc.norm.tok.en": "08925f8e0572bcd5a006702fc5fe20e2d77c6917d4eebd576fc20de6693c2119",
    "val.lc.norm.tok.de": "97232bd273eceb7207f689527386a97e4be2616b18ada47576bdaf96c8ae1f00",
    "val.lc.norm.tok.en": "46573ce391ae227f1c72f873392436a20ef18e0a6d518098cfbd70b77c8572ec",
    "test_2016_flickr.lc.norm.tok.de": "c6a33d39d48f9f510de147651316cd9d918e09ad0219df734a2f16b6baccacc4",
    "test_2016_flickr.lc.norm.tok.en": "5b7f32627cf99eced828311b955dae9800bb52bc8b91cf8b6526829e605b29d2",
}
"""Checksums of the files as their repository serves them; the other files' are not known."""


def multi30k_name(split: str, language: str, tokenized: bool) -> str:
    """Return the name of one file of Multi30k.

    Raises:
        ValueError: if split or language are unknown.
    """
    if split not in MULTI30K_SPLITS:
        raise ValueError(f"split: expected one of {', '.join(MULTI30K_SPLITS)}, got {split!r}")
    if language not in MULTI30K_LANGUAGES:
        raise ValueError(f"language: expected one of {', '.join(MULTI30K_LANGUAGES)}, got {language!r}")
    return f"{split}.lc.norm.tok.{language}" if tokenized else f"{split}.{language}.gz"
