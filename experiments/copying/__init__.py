"""How many words one vector holds, for chapter 02."""
