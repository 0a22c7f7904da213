"""JSONata by jsonata-python: LocalEmu's own evaluation, which needed Java, was removed from it."""

from jsonata import Jsonata
from localemu.services.stepfunctions.asl.component.common.string import string_expression
from localemu.services.stepfunctions.asl.jsonata import jsonata, validations

from kelvin_localemu.replace import replace


def evaluate(expression: str) -> object:
    """Return the expression's value, or None if it has none."""
    return Jsonata(expression).evaluate(None)


def install() -> None:
    """Replace LocalEmu's function, which only raises, in every module that imports it."""
    for module in (jsonata, string_expression, validations):
        replace(module, "eval_jsonata_expression", evaluate)
