"""The checks of exercise 02: one task a file."""

from course_checks.rnn_encoder_decoder.beam_search import task as beam_search
from course_checks.rnn_encoder_decoder.encode import task as encode
from course_checks.rnn_encoder_decoder.exact_match import predictions
from course_checks.rnn_encoder_decoder.exact_match import task as exact_match
from course_checks.rnn_encoder_decoder.fixed_ranking import task as fixed_ranking
from course_checks.rnn_encoder_decoder.greedy_decode import task as greedy_decode
from course_checks.rnn_encoder_decoder.gru_cell import task as gru_cell
from course_checks.rnn_encoder_decoder.length_penalty import task as length_penalty

__all__ = [
    "beam_search",
    "encode",
    "exact_match",
    "greedy_decode",
    "gru_cell",
    "length_penalty",
    "fixed_ranking",
    "predictions",
]
