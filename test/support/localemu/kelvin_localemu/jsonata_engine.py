"""JSONata by jsonata-python: LocalEmu's own evaluation needed Java and was taken out of it."""

from jsonata import Jsonata
from localemu.services.stepfunctions.asl.component.common.string import string_expression
from localemu.services.stepfunctions.asl.jsonata import jsonata, validations

from kelvin_localemu.replace import replace


def evaluate(expression: str) -> object:
    """Give what the expression gives; None where that is nothing."""
    return Jsonata(expression).evaluate(None)


def install() -> None:
    """Evaluate in every module that has the name of LocalEmu's own, which only raises."""
    for module in (jsonata, string_expression, validations):
        replace(module, "eval_jsonata_expression", evaluate)
