"""Writing text from a model: caches of keys and values, and a model that counts."""
