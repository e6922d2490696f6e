"""Writing text from a model: sampling, caches of keys and values, and a model that counts."""
