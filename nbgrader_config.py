"""The course folder as nbgrader sees it; with this file its own commands work as they are."""

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import ClearHiddenTests, GetGrades

from transformer_course.units import SLUGS, UNITS


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
BEYOND_THE_UNITS = ("cached_decoding", "recording", "null_model", "ladder", "training")


def torch_functions(*words):
    """Name all functions of torch whose names hold one of the words, as the checks of the units do."""
    return [f"torch.*{word}*" for word in words]


ATTENTION = torch_functions("scaled_dot_product", "multi_head_attention")
DERIVATIVES = torch_functions("autograd", "backward", "_dual")
HEADS = torch_functions("multi_head_attention")
BLOCKS = torch_functions("multi_head_attention", "transformer_encoder_layer")
STACKS = torch_functions("multi_head_attention_forward", "_transformer_encoder_layer_fwd")
LAYERS = [f"torch.nn.Transformer{part}" for part in ("", "Encoder", "Decoder", "EncoderLayer", "DecoderLayer")]
LOSSES = torch_functions("cross_entropy", "nll_loss", "kl_div")

c.CourseGrader.shared_packages = ["transformer_course"]
c.CourseGrader.arguments_may_change = False
# A notebook imports its checks, which run with the tests: in a submission they are there and do nothing.
c.CourseGrader.stand_ins = ["course_checks"]

# While a unit is graded, the library's own answer to it, whatever is built on that answer, and other people's packages
# that have an answer ready are not there.
c.CourseGrader.forbidden_modules = {
    unit.name: [
        *(f"transformer_course.{name}" for name in (*SLUGS[unit.number - 1 :], *BEYOND_THE_UNITS)),
        *unit.packages,
    ]
    for unit in UNITS
}

# What torch has ready-made for a task earns nothing in that task.
c.CourseGrader.refused_functions = {
    "01_sequence_transduction": {
        "pad_sequences": torch_functions("pad_sequence", "padded_tensor"),
        "sequence_log_probability": LOSSES,
        "label_smoothing_loss": LOSSES,
    },
    "02_rnn_encoder_decoder": {
        "gru_cell": torch_functions("gru"),
        "encode": torch_functions("gru", "rnn", "lstm", "pack_padded"),
    },
    "03_rnn_attention": {"attend": ATTENTION, "mended_decoder": ATTENTION},
    "04_scaled_dot_product_attention": {
        "softmax": torch_functions("softmax", "softmin") + ATTENTION,
        "attention_weights": ATTENTION,
        "mean_largest_weight": ATTENTION,
        "scaled_dot_product_attention": ATTENTION,
        "mended_attention": ATTENTION,
        "attention_in_blocks": ATTENTION,
    },
    "05_softmax_jacobian": {
        "softmax_jacobian": DERIVATIVES,
        "softmax_vjp": DERIVATIVES,
        "attention_backward": DERIVATIVES + ATTENTION,
        "mended_query_step": DERIVATIVES + ATTENTION,
        "attention_backward_in_blocks": DERIVATIVES + ATTENTION,
    },
    "06_masking": {
        "padding_mask": ATTENTION,
        "causal_mask": ATTENTION,
        "combine_masks": ATTENTION,
        "masked_softmax": ATTENTION,
        "mended_packed_mask": ATTENTION,
        "continued_mask": ATTENTION,
    },
    "07_multi_head_attention": {
        "split_heads": HEADS,
        "merge_heads": HEADS,
        "parameter_count": HEADS,
        "attention_flops": HEADS,
        "MultiHeadAttention": HEADS,
        "heads_one_by_one": HEADS,
        "mended_heads": HEADS,
        "grouped_attention": HEADS,
    },
    "09_transformer_blocks": {
        "LayerNorm": torch_functions("layer_norm", "batch_norm", "group_norm", "instance_norm", "rms_norm"),
        "FeedForward": BLOCKS,
        "EncoderBlock": BLOCKS,
        "DecoderBlock": BLOCKS,
        "layer_norm_backward": torch_functions("layer_norm", "autograd"),
    },
    "10_transformer": {
        "Transformer": STACKS + LAYERS,
        "noam_learning_rate": STACKS,
        "train_step": STACKS,
        "share_translated": STACKS,
    },
    "12_inside_attention": {
        "attention_entropy": [
            *torch_functions("special_entr", ".entr", "xlogy", "distributions"),
            "torch.distributions.Categorical",
        ],
        "head_similarity": torch_functions("cosine_similarity", "corrcoef", "cosine_embedding"),
    },
}
