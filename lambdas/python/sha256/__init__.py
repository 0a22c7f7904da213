"""Experiment sha256: one chain of hashes, on one thread."""
