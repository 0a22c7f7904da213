"""Calls of aioboto3 at the same time, in one thread."""
