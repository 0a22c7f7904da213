"""Test support: LocalEmu runs Lambda functions as processes, without Docker, and JSONata without Java."""
