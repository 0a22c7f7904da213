"""Experiment compute: nothing but the processor, and no SDK."""
