"""Experiment dynamodb: four operations on one table, through the AWS SDK."""
