"""Real sentences, German to English."""
