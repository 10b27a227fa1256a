"""Arguments of a wrong type get a message that names them."""

from __future__ import annotations

import functools
import inspect
import operator
from typing import Any, Callable, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])


def _is_number(value: Any) -> bool:
    if isinstance(value, (str, bytes, bytearray)):
        return False
    try:
        float(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _is_integer(value: Any) -> bool:
    try:
        operator.index(value)
    except TypeError:
        return False
    return True


_MEANINGS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "float": ("a number", _is_number),
    "int": ("a whole number", _is_integer),
    "bool": ("True or False", lambda value: isinstance(value, (bool, np.bool_))),
    "str": ("a text", lambda value: isinstance(value, str)),
}


def checked(function: F) -> F:
    """The function with its arguments of type float, int, bool and str, or None where that is allowed, looked at first.

    >>> @checked
    ... def wait(seconds: float, why: str | None = None) -> None: ...
    >>> wait("long")
    Traceback (most recent call last):
        ...
    TypeError: seconds: expected a number, found 'long'
    """
    signature = inspect.signature(function)
    expected = {}
    for name, parameter in signature.parameters.items():
        what, _, none = str(parameter.annotation).partition(" | ")
        if what in _MEANINGS and none in ("", "None"):
            expected[name] = (*_MEANINGS[what], none == "None")

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        for name, value in signature.bind(*args, **kwargs).arguments.items():
            if name not in expected:
                continue
            meaning, is_one, optional = expected[name]
            if not (is_one(value) or (optional and value is None)):
                raise TypeError(f"{name}: expected {meaning}, found {value!r}")
        return function(*args, **kwargs)

    return called  # type: ignore[return-value]
