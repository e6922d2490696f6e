"""Chapter 05: what the division changes, at three widths, with Adam and with SGD."""
