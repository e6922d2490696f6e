"""Writing text from a model: sampling, exact search, caches of keys and values, and a model that counts."""
