"""Experiment sha256: a chain of hashes in one thread."""
