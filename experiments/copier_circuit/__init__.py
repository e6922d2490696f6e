"""What the small copiers of chapter 13 do inside, by cutting and patching their heads."""
