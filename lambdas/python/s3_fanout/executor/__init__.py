"""Concurrent calls with boto3 in an executor's threads."""
