"""The course folder as nbgrader sees it; with this file its own commands work as they are."""

from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import ClearHiddenTests, GetGrades


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
UNITS = (
    "sequence_transduction",
    "rnn_encoder_decoder",
    "rnn_attention",
    "scaled_dot_product_attention",
    "softmax_jacobian",
    "masking",
    "multi_head_attention",
    "positional_encoding",
    "transformer_blocks",
    "transformer",
    "decoding",
    "inside_attention",
)
ORACLES = [
    f"checks.oracles{of}"
    for of in (
        "",
        "_blocks",
        "_decoding",
        "_heads",
        "_inside",
        "_positions",
        "_recurrent",
        "_rnn_attention",
        "_transduction",
        "_transformer",
    )
]
BEYOND_THE_UNITS = ("cached_decoding", "recording", "null_model", "ladder", "training", *ORACLES)
READY_MADE = ["torch.nn.functional.scaled_dot_product_attention", "torch.nn.functional.multi_head_attention_forward"]
GRU = ["torch.nn.GRUCell", "torch.gru_cell", "torch.nn.GRU", "torch.gru"]
STACKS = [f"torch.nn.Transformer{part}" for part in ("", "Encoder", "Decoder", "EncoderLayer", "DecoderLayer")]
SOFTMAX = [f"torch.{place}softmax" for place in ("", "nn.functional.", "Tensor.", "special.")]

c.CourseGrader.shared_packages = ["transformer_course"]
c.CourseGrader.arguments_may_change = False

# While a unit is graded, the library's own answer to it, and whatever is built on that answer, is not there.
c.CourseGrader.forbidden_modules = {
    f"{number:02}_{unit}": [f"transformer_course.{name}" for name in (*UNITS[number - 1 :], *BEYOND_THE_UNITS)]
    for number, unit in enumerate(UNITS, start=1)
}
# Packages that have an answer ready.
c.CourseGrader.forbidden_modules["11_decoding"] += ["sacrebleu", "nltk", "torchmetrics", "torcheval"]

# What torch has ready-made for a task earns nothing in that task.
c.CourseGrader.refused_functions = {
    "01_sequence_transduction": {"label_smoothing_loss": ["torch.nn.functional.cross_entropy"]},
    "02_rnn_encoder_decoder": {"gru_cell": GRU, "encode": GRU},
    "03_rnn_attention": {"attend": READY_MADE},
    "04_scaled_dot_product_attention": {
        "softmax": SOFTMAX,
        "attention_weights": READY_MADE,
        "scaled_dot_product_attention": READY_MADE,
    },
    "05_softmax_jacobian": {
        "softmax_jacobian": ["torch.autograd.grad", "torch.autograd.functional.jacobian"],
        "softmax_vjp": ["torch.autograd.grad", "torch.autograd.backward"],
        "attention_backward": ["torch.autograd.grad", "torch.autograd.backward"],
    },
    "07_multi_head_attention": {"MultiHeadAttention": READY_MADE},
    "09_transformer_blocks": {
        "LayerNorm": ["torch.nn.functional.layer_norm", "torch.layer_norm", "torch.native_layer_norm"],
        "EncoderBlock": ["torch.nn.functional.multi_head_attention_forward"],
        "DecoderBlock": ["torch.nn.functional.multi_head_attention_forward"],
        "layer_norm_backward": ["torch.nn.functional.layer_norm", "torch.autograd.grad", "torch.autograd.backward"],
    },
    "10_transformer": {"Transformer": STACKS},
    "12_inside_attention": {
        "attention_entropy": [
            "torch.special.entr",
            "torch.special.xlogy",
            "torch.xlogy",
            "torch.distributions.Categorical",
        ],
        "head_similarity": ["torch.nn.functional.cosine_similarity", "torch.corrcoef"],
    },
}
