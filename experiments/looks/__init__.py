"""Where the small translators of chapter 03 look, and what becomes of them when they are made to look elsewhere."""
