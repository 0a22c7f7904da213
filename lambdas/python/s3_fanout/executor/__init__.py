"""Calls of boto3 at the same time, in the threads of an executor."""
