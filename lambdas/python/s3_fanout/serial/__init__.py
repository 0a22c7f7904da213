"""One call after the other."""
