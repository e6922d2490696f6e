"""Training, checkpoints, evaluation and the command line: what turns the units into a translator."""
