"""The name that was meant, where there is no task of the name that was given."""

import difflib

# What others call it, without capitals and underscores.
SYNONYMS = {
    "scaled_dot_product_attention": "attention attn sdpa dotproductattention",
    "MultiHeadAttention": "mha selfattention multiheadedattention causalselfattention",
    "18:rotate": "rope rotary rotaryembedding applyrotaryemb applyrotaryposemb",
    "sinusoidal_encoding": "positionalencoding positionalembedding pe",
    "FeedForward": "ffn mlp positionwisefeedforward",
    "grouped_query_attention": "gqa mqa repeatkv",
    "EncoderBlock": "encoderlayer transformerencoderlayer",
    "DecoderBlock": "decoderlayer transformerdecoderlayer",
    "ModernBlock": "llamadecoderlayer llamalayer",
    "LanguageModel": "gpt",
    "VisionTransformer": "vit",
    "corpus_bleu": "bleu",
    "noam_learning_rate": "noam learningrate",
    "filter_logits": "topk topp nucleus toppfiltering",
    "image_to_patches": "patchify patchembed",
    "patches_to_image": "unpatchify",
    "contrastive_loss": "cliploss infonce",
    "causal_mask": "subsequentmask",
}


def unknown(name: str, known: list[str]) -> str:
    """Say that there is no task of a name, and which one was perhaps meant."""
    if ".py" in name:
        return f"{name}: the name of the task comes first, as in `course-check softmax {name}`"
    plain = {_plain(each): each for each in known}
    near = [ours for ours, others in SYNONYMS.items() if _plain(name) in others.split() and ours in known]
    near = near or [plain[each] for each in [_plain(name)] if each in plain]
    near = near or [plain[each] for each in difflib.get_close_matches(_plain(name), list(plain), n=3, cutoff=0.5)]
    near = near or [each for each in known if _plain(name) in _plain(each)]
    meant = f"did you mean {' or '.join(near)}? " if near else ""
    return f"{name}: no such task; {meant}`course-check --list` prints them all"


def _plain(name: str) -> str:
    return name.lower().replace("_", "")
