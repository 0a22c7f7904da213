"""Code that all measured Python functions share: event, identity, clock and result."""
