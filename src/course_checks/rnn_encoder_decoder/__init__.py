"""The checks of exercise 02: one task a file."""

from course_checks.rnn_encoder_decoder.beam_search import task as beam_search
from course_checks.rnn_encoder_decoder.encode import task as encode
from course_checks.rnn_encoder_decoder.exact_match import predictions
from course_checks.rnn_encoder_decoder.exact_match import task as exact_match
from course_checks.rnn_encoder_decoder.greedy_decode import task as greedy_decode
from course_checks.rnn_encoder_decoder.gru_cell import task as gru_cell
from course_checks.rnn_encoder_decoder.length_penalty import task as length_penalty
from course_checks.rnn_encoder_decoder.mended_ranking import task as mended_ranking

__all__ = [
    "beam_search",
    "encode",
    "exact_match",
    "greedy_decode",
    "gru_cell",
    "length_penalty",
    "mended_ranking",
    "predictions",
]
