"""Parts of the modern block, one at a time, on one clock."""
