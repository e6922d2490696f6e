"""Takes the two sizes for one."""

SAYS = "'n, scaled'"


predictions = {"d_k": "falls", "d_k, scaled": "stays", "n, scaled": "stays"}
