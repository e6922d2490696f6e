"""The course's models beside those of `transformers`, same random weights."""
