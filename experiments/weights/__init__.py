"""Networks whose weights the pages load."""
