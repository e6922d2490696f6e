"""The small copiers of chapter 13 read from their weights, before any text is run through them."""
