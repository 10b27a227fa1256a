"""Small models with known answers."""

from __future__ import annotations

import mti

GRAVITY = 9.81


def decay(rate: float = 1.0, **more: object) -> mti.Model:
    """x = exp(−rate t)."""
    return mti.Model(states={"x": 1.0}, parameters={"k": rate}, equations=["der(x) = -k*x"], **more)


def relay() -> mti.Model:
    """A triangular wave between 1 and 2 with slopes ±1 from (0, 1): events at 0, 1, 2, …"""
    return mti.Model(
        states={"x": 1.0}, binaries=["on"], equations=["der(x) = 2*on - 1"],
        constraints={"high": "(x - 2)*on <= 0", "low": "(1 - x)*(1 - on) <= 0"})


def ball(restitution: float = 0.5) -> mti.Model:
    """A ball from height 1 that bounces: t_1 = √(2/g), v⁺ = −e v⁻."""
    return mti.Model(
        states={"h": {"start": 1.0, "unit": "m"}, "v": {"unit": "m/s"}}, algebraic={"F": {"unit": "N"}},
        binaries=["contact"], parameters={"g": GRAVITY, "e": restitution},
        equations={"height": "der(h) = v", "motion": "der(v) = F - g", "contact": "contact*der(v) + (1 - contact)*F = 0"},
        constraints={"floor": "h >= 0", "push": "F >= 0"},
        transitions=[{"when": "reach(floor)", "equations": ["v = -e*pre(v)"]}])


def endless() -> mti.Model:
    """A fast triangular wave: work without an end."""
    return mti.Model(
        states={"x": 1.0}, binaries=["on"], equations=["der(x) = 1e6*(2*on - 1)"],
        constraints={"high": "(x - 2)*on <= 0", "low": "(1 - x)*(1 - on) <= 0"})
