"""Pictures by matplotlib: signals with lanes of the modes, phase planes with switching surfaces, structure, eigenvalues, bifurcation
diagrams, fits, work and precision.

Each function returns the figure, which it makes unless it is given one; `figure.savefig("file.svg")` writes it.
"""

from mti.plotting.branches import bifurcations
from mti.plotting.fits import residuals
from mti.plotting.linear import eigenvalues
from mti.plotting.phase import phase_plane
from mti.plotting.precision import WorkPrecision, measured, work_precision
from mti.plotting.signals import signals
from mti.plotting.structures import structure

__all__ = ["WorkPrecision", "bifurcations", "eigenvalues", "measured", "phase_plane", "residuals", "signals", "structure", "work_precision"]
