"""How fast the library is, measured against torch on the machine where it runs."""
