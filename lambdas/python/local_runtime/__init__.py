"""A Runtime API client for machines that have no build of awslambdaric. Never deployed."""
