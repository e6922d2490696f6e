"""The small models of chapters 03 and 04 that need minutes."""
