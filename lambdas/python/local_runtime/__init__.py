"""A Runtime API client for machines without awslambdaric. Never deployed."""
