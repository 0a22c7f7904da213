"""Test support: LocalEmu runs functions without Docker, and JSONata without Java."""
