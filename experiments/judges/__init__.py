"""Who judges grammar how well."""
