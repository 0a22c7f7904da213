"""Experiment dynamodb-batch: writes a few small items in one batch and reads them in another."""
