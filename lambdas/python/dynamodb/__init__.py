"""Experiment dynamodb: one table, four operations, the AWS SDK in the path."""
