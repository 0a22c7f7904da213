"""Putting a function in the place of one of LocalEmu's."""


def replace(owner: object, name: str, function: object) -> None:
    """Replace what the module or class has under the name; a name that it lacks is an error."""
    getattr(owner, name)
    setattr(owner, name, function)
