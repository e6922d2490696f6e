"""How many tokens a pass of the language model of chapter 13 writes when a smaller model drafts."""
