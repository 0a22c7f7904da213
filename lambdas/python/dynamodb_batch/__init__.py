"""Experiment dynamodb-batch: a few small items, written in one batch and read in another."""
