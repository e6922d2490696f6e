"""Changes one key after the other and does not change them back."""

SAYS = "a change stays in place"
CHANGES = [
    (
        "for j in range(len(key)):",
        """changed_key, changed_value = key.clone(), value.clone()
    for j in range(len(key)):""",
    ),
    ("other_key, other_value = key.clone(), value.clone()", "other_key, other_value = changed_key, changed_value"),
]
