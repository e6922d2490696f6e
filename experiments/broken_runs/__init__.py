"""The right run of chapter 10 and its five broken ones."""
