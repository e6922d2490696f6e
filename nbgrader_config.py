"""The course folder as nbgrader sees it; with this file its own commands work as they are."""

from pathlib import Path

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import ClearHiddenTests, GetGrades

from transformer_course.common.units import SLUGS, UNITS


class HideHiddenTests(ClearHiddenTests):
    """Leave hidden tests out of feedback: their source, and the lines of it that an error quotes."""

    def preprocess_cell(self, cell, resources, cell_index):
        hidden = self.begin_test_delimeter in cell.source
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        if hidden:
            for output in cell.get("outputs", []):
                if output.output_type == "error":
                    output.traceback = [f"{output.ename}: {output.evalue}"]
        return cell, resources


c = get_config()  # noqa: F821 (nbgrader defines it)

c.CourseDirectory.course_id = "attention"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"

# A learner sees a clear failure, not an empty function.
c.ClearSolutions.code_stub = {"python": "raise NotImplementedError"}
c.ClearSolutions.text_stub = "*Your answer here.*"

# The whole of an exercise notebook takes less than a minute: a cell that needs longer is an endless loop.
c.Execute.timeout = 60

# nbgrader counts anything on stderr as a failure. A warning, or a print to stderr, must not cost points.
c.IgnorePattern.enabled = True
c.IgnorePattern.pattern = r"(?s).*"

# A test cell that a learner deleted comes back and is graded.
c.OverwriteCells.add_missing_cells = True

c.GenerateFeedback.preprocessors = [GetGrades, HideHiddenTests, CSSHTMLHeaderPreprocessor]

# What follows is for course-grader (book/grading_a_class.md); nbgrader itself does not read it.
# Modules that stand beside the units, with the last unit whose answers they hold or are built on; later ones use them.
BESIDE_THE_UNITS = {
    "interpret.separate_heads": 7,
    "interpret.recording": 12,
    "interpret.null_model": 12,
    "generation.sampling": 13,
    "generation.cached_generation": 13,
    "published.pretrained": 18,
    "published.llama_layers": 18,
    "training": len(UNITS),
}


def torch_functions(*words):
    """Name all functions of torch whose names hold one of the words, as the checks of the units do."""
    return [f"torch.*{word}*" for word in words]


ATTENTION = torch_functions("scaled_dot_product", "multi_head_attention")
HEADS = torch_functions("multi_head_attention")
FUSED = torch_functions("multi_head_attention_forward", "_transformer_encoder_layer_fwd")
LAYERS = [f"torch.nn.Transformer{part}" for part in ("", "Encoder", "Decoder", "EncoderLayer", "DecoderLayer")]

c.CourseGrader.shared_packages = ["transformer_course"]
c.CourseGrader.arguments_may_change = False
# A notebook imports its checks, which run with the tests: in a submission they are there and do nothing.
c.CourseGrader.stand_ins = ["course_checks"]

# While a unit is graded, the library's own answer to it, whatever is built on that answer, and other people's packages
# that have an answer ready are not there.
c.CourseGrader.forbidden_modules = {
    unit.name: [
        *(f"transformer_course.{name}" for name in SLUGS[unit.number - 1 :]),
        *(f"transformer_course.{name}" for name, last in BESIDE_THE_UNITS.items() if unit.number <= last),
        *unit.packages,
    ]
    for unit in UNITS
}

# What torch has ready-made for a task earns nothing in that task.
c.CourseGrader.refused_functions = {
    "01_sequence_transduction": {
        "label_smoothing_loss": torch_functions("cross_entropy", "nll_loss", "kl_div", "NLLLoss", "KLDivLoss"),
        "pad_sequences": torch_functions("pad_sequence", "padded_tensor", "nested"),
        "sequence_log_probability": torch_functions("cross_entropy", "nll_loss", "kl_div", "NLLLoss", "KLDivLoss"),
    },
    "02_rnn_encoder_decoder": {
        "encode": torch_functions("gru", "rnn_tanh", "rnn_relu", "lstm", "pack_padded"),
        "gru_cell": torch_functions("gru", "rnn_tanh", "rnn_relu", "lstm"),
    },
    "03_rnn_attention": {
        "additive_score": ATTENTION,
        "attend": ATTENTION,
        "dot_score": ATTENTION,
        "fixed_decoder": ATTENTION,
    },
    "04_scaled_dot_product_attention": {
        "attention_in_blocks": ATTENTION,
        "attention_weights": ATTENTION,
        "mean_largest_weight": ATTENTION,
        "scaled_dot_product_attention": ATTENTION,
        "fixed_attention": ATTENTION,
        "softmax": torch_functions("softmax", "softmin") + ATTENTION,
    },
    "05_softmax_jacobian": {
        "attention_backward": torch_functions("autograd", "backward", "_dual") + ATTENTION,
        "attention_backward_in_blocks": torch_functions("autograd", "backward", "_dual") + ATTENTION,
        "fixed_query_step": torch_functions("autograd", "backward", "_dual") + ATTENTION,
        "softmax_jacobian": torch_functions("autograd", "backward", "_dual"),
        "softmax_vjp": torch_functions("autograd", "backward", "_dual"),
    },
    "06_masking": {
        "causal_mask": ATTENTION,
        "combine_masks": ATTENTION,
        "continued_mask": ATTENTION,
        "masked_softmax": ATTENTION,
        "fixed_packed_mask": ATTENTION,
        "padding_mask": ATTENTION,
    },
    "07_multi_head_attention": {
        "attention_flops": HEADS,
        "parameter_count": HEADS,
        "MultiHeadAttention": HEADS,
        "grouped_attention": HEADS,
        "fixed_heads": HEADS,
        "heads_one_by_one": HEADS,
        "merge_heads": HEADS,
        "split_heads": HEADS,
    },
    "09_transformer_blocks": {
        "DecoderBlock": torch_functions("multi_head_attention", "transformer_encoder_layer"),
        "EncoderBlock": torch_functions("multi_head_attention", "transformer_encoder_layer"),
        "FeedForward": torch_functions("multi_head_attention", "transformer_encoder_layer"),
        "LayerNorm": torch_functions("layer_norm", "batch_norm", "group_norm", "instance_norm", "rms_norm"),
        "layer_norm_backward": torch_functions("layer_norm", "autograd", "backward"),
    },
    "10_transformer": {
        "MendedTransformer": FUSED,
        "Transformer": FUSED + LAYERS,
    },
    "11_decoding": {
        "cached_attention": HEADS,
        "fixed_steps": HEADS,
    },
    "12_inside_attention": {
        "attention_entropy": torch_functions("special_entr", ".entr", "distributions")
        + ["torch.distributions.Categorical"],
        "head_similarity": torch_functions("cosine_similarity", "cosine_embedding", "corrcoef"),
    },
    "13_language_model": {
        "LanguageModel": torch_functions("multi_head_attention_forward", "transformer_encoder_layer") + LAYERS,
    },
    "14_masked_language_model": {
        "MaskedLanguageModel": torch_functions("multi_head_attention", "transformer_encoder_layer") + LAYERS,
    },
    "15_vision_transformer": {
        "image_to_patches": torch_functions("unfold", "im2col", "pixel_unshuffle", "conv2d"),
        "patches_to_image": torch_functions("fold", "col2im", "pixel_shuffle", "conv_transpose"),
        "resized_positions": torch_functions("interpolate", "upsample", "grid_sample"),
        "VisionTransformer": FUSED + LAYERS,
    },
    "16_images_and_words": {
        "CaptionModel": FUSED + LAYERS,
        "CrossModalBlock": FUSED + LAYERS,
        "fixed_cross_attention": FUSED,
    },
    "17_efficient_attention": {
        "blockwise_attention": ATTENTION + torch_functions("flex_attention"),
        "grouped_query_attention": ATTENTION + torch_functions("flex_attention"),
        "linear_attention": ATTENTION + torch_functions("flex_attention"),
    },
    "18_modern_transformer": {
        "rms_norm": torch_functions("rms_norm", "layer_norm", "normalize"),
        "swiglu": torch_functions("glu"),
        "ModernBlock": HEADS + torch_functions("transformer_encoder_layer") + LAYERS,
    },
}

# What a class decides for itself (late days, limits) stands in local_config.py, which git leaves alone. There a
# dictionary of above takes .update({...}); with = it would lose all other units.
load_subconfig(str(Path(__file__).with_name("local_config.py")))  # noqa: F821 (so does it this)
