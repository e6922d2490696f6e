"""The ladder: one translation model for each idea of the course, all of about the same size."""
