"""Experiment compute: CPU work only, no SDK."""
