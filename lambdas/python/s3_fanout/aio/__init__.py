"""Concurrent calls with aioboto3 in one thread."""
