"""The heads of three small translators that differ in their seed."""
