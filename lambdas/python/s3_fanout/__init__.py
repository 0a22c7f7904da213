"""Experiment s3-fanout: a listing, then a call for each of its objects."""
