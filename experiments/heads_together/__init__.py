"""Several heads of the small translators of chapter 12 at once."""
