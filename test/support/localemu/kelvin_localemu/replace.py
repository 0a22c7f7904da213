"""Replacing one of LocalEmu's functions."""


def replace(owner: object, name: str, function: object) -> None:
    """Replace an attribute of a module or class; raise AttributeError if it does not exist."""
    getattr(owner, name)
    setattr(owner, name, function)
