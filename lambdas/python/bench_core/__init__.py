"""What every measured Python function shares: its event, its identity, its clock, its result."""
