"""Parts of the modern block in a translator, one at a time, on one clock."""
