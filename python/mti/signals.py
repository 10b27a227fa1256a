"""Signals: the named quantities of a model."""

from __future__ import annotations

from typing import Any, NamedTuple


class Signal(NamedTuple):
    """A named quantity of a model.

    `nominal` is the size that counts as one; `start` the start value of a state or binary, the guess of an algebraic
    signal, the value of an input at the start. `auxiliary` signals are copies made for powers.

    >>> import mti
    >>> mti.Model(states={"T": {"start": 20, "unit": "degC"}}, equations=["der(T) = 0"]).states[0]
    Signal(name='T', unit='degC', nominal=1.0, start=20.0, auxiliary=False, binary=False)
    """

    name: str
    unit: str
    nominal: float
    start: float
    auxiliary: bool = False
    binary: bool = False


def signals_of(group: tuple[tuple[Any, ...], ...]) -> tuple[Signal, ...]:
    """Signals as C++ gives them."""
    return tuple(Signal(*signal) for signal in group)
