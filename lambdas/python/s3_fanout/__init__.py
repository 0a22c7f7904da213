"""Experiment s3-fanout: lists objects, then makes a call for each of them."""
