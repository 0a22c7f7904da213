"""Sequential calls."""
