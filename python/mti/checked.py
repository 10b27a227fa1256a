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
    """The function, whose TypeError names the argument where one of type float, int, bool or str, or None where that is allowed, is
    something else. They are looked at only then: a call costs no more.

    >>> @checked
    ... def wait(seconds: float, why: str | None = None) -> float:
    ...     return seconds + 0.0
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

    def wrong_argument(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError:  # which the function has said itself
            return None
        for name, value in given.items():
            if name not in expected:
                continue
            meaning, is_one, optional = expected[name]
            if not (is_one(value) or (optional and value is None)):
                return f"{name}: expected {meaning}, found {value!r}"
        return None

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as raised:
            wrong = wrong_argument(args, kwargs)
            if wrong is None:
                raise
            raise TypeError(wrong) from raised

    return called  # type: ignore[return-value]
