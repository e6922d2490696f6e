"""Drawing: the plots of the book, and the figures on its pages that answer to the mouse."""
