"""Looking into a model: recording its attention, changing what is inside, and maps to compare with."""
