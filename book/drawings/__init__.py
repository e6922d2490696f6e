"""What the pages of the book draw, drawings, tables and figures that answer to the mouse, and compute with."""
