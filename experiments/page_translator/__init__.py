"""The translator that runs in a page of the book."""
