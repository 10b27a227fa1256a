"""Simulation and analysis of hybrid implicit multilinear models

    f(ẋ, x, u, y, z) = 0,    g(ẋ, x, u, y, z) ≤ 0,    z ∈ {0, 1}^q .

>>> import mti
>>> room = mti.Model(
...     states={"T": 18}, binaries=["heating"], equations=["10*der(T) = 5 - T + 30*heating"],
...     constraints=["(19 - T)*(1 - heating) <= 0", "(T - 21)*heating <= 0"])
>>> run = mti.simulate(room, stop=24)
>>> run.outcome, len(run.events)
('reached_stop', 18)

docs/python.md is the way in; docs/model-format.md says what a model may hold.
"""

from mti._core import version as __version__
from mti.analysis import Analysis, Diagnosis, Remark, analyze, check
from mti.conversion import Conversion, InterpolatedFunction, convert, to_modelica
from mti.faults import (
    Fault,
    InvalidModel,
    InvalidOption,
    ModelWarning,
    ModesTooLarge,
    MtiError,
    NotReached,
    UnusableFile,
)
from mti.fitting import Estimate, Fit, fit
from mti.identification import Identified, identify
from mti.inputs import input_function
from mti.linearization import Eigenvalue, Linearization, StateSpace, linearize
from mti.model import Model
from mti.network import Component, Network
from mti.orbits import Branch, BranchPoint, Equilibrium, Orbit, equilibria, follow_orbit, orbit
from mti.reading import build, read
from mti.result import Event, Impulse, Result
from mti.run import Run
from mti.signals import Signal
from mti.simulation import simulate
from mti.studies import Study, study

__all__ = [
    "Analysis",
    "Branch",
    "BranchPoint",
    "Component",
    "Conversion",
    "Diagnosis",
    "Eigenvalue",
    "Equilibrium",
    "Estimate",
    "Event",
    "Fault",
    "Fit",
    "Identified",
    "Impulse",
    "InterpolatedFunction",
    "InvalidModel",
    "InvalidOption",
    "Linearization",
    "Model",
    "ModelWarning",
    "ModesTooLarge",
    "MtiError",
    "Network",
    "NotReached",
    "Orbit",
    "Remark",
    "Result",
    "Run",
    "Signal",
    "StateSpace",
    "Study",
    "UnusableFile",
    "__version__",
    "analyze",
    "build",
    "check",
    "convert",
    "equilibria",
    "fit",
    "follow_orbit",
    "identify",
    "input_function",
    "linearize",
    "orbit",
    "read",
    "simulate",
    "study",
    "to_modelica",
]
