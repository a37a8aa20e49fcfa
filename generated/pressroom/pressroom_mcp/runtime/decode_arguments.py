"""What the text of an argument stands for: JSON or bytes."""

from __future__ import annotations

import base64
import binascii
import json
from typing import NoReturn

from .nesting import loads
from .request import InvalidArguments
from .tool import Argument, Json


def decode_argument(argument: Argument, given: Json) -> Json:
    """The value to be placed, for a text or each text of a list.

    Raises `InvalidArguments` where the text is not what it should be.
    """
    decoder = _DECODERS[argument.text]
    return [decoder(text) for text in given] if isinstance(given, list) else decoder(given)


def _from_json(text: str) -> Json:
    try:
        return loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as fault:
        where = f"line {fault.lineno}, column {fault.colno}"
        raise InvalidArguments(f"is not JSON: {fault.msg} at {where}") from None
    except RecursionError:
        raise InvalidArguments("is nested too deeply") from None
    except ValueError:
        raise InvalidArguments("holds a number with too many digits") from None


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidArguments(f"is not JSON: {name} is no number there")


def _from_base64(text: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise InvalidArguments("is not base64") from None


_DECODERS = {"json": _from_json, "base64": _from_base64}
