"""The checks of exercise 03: one task a file."""

from course_checks.rnn_attention.additive_score import task as additive_score
from course_checks.rnn_attention.alignment_error_rate import task as alignment_error_rate
from course_checks.rnn_attention.attend import task as attend
from course_checks.rnn_attention.bidirectional_encode import task as bidirectional_encode
from course_checks.rnn_attention.dot_score import task as dot_score
from course_checks.rnn_attention.fixed_decoder import task as fixed_decoder
from course_checks.rnn_attention.inputs import decoder_inputs
from course_checks.rnn_attention.share_on_padding import predictions
from course_checks.rnn_attention.share_on_padding import task as share_on_padding

__all__ = [
    "additive_score",
    "alignment_error_rate",
    "attend",
    "bidirectional_encode",
    "decoder_inputs",
    "dot_score",
    "fixed_decoder",
    "predictions",
    "share_on_padding",
]
