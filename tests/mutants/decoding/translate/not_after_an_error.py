"""Puts the modes back only if nothing raises."""

SAYS = "not reached when something raises"
CHANGES = [
    (
        """    finally:
""",
        """    except ZeroDivisionError:
""",
    ),
    (
        "return greedy_decode(step, start(source), len(source), max_length)",
        "result = greedy_decode(step, start(source), len(source), max_length)",
    ),
    (
        "            found = [",
        """            else:
                found = [""",
    ),
    (
        "            return pad_sequences([tokens for tokens, _ in found])",
        """                result = pad_sequences([tokens for tokens, _ in found])
        for module, mode in modes:
            module.training = mode
        return result""",
    ),
]
