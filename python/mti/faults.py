"""What is wrong with a model, an option or a file."""

from __future__ import annotations

from typing import Iterable, NamedTuple


class _Fault(NamedTuple):
    id: str
    pointer: str
    message: str


class Fault(_Fault):
    """One thing that is wrong: (id, pointer, message).

    `id` is stable (docs/errors.md lists every id), `pointer` a JSON pointer into the model, `file` the file of a
    component, empty for the model itself.

    >>> import mti
    >>> try:
    ...     mti.Model(states=["x"], equations=["der(x) = k*x"])
    ... except mti.InvalidModel as error:
    ...     for id, pointer, message in error.faults:
    ...         print(id, pointer)
    unknown-name /equations/0
    """

    file: str

    def __new__(cls, id: str, pointer: str, message: str, file: str = "") -> Fault:
        fault = super().__new__(cls, id, pointer, message)
        fault.file = file
        return fault

    def __reduce__(self) -> tuple[type[Fault], tuple[str, str, str, str]]:
        return Fault, (self.id, self.pointer, self.message, self.file)

    def __str__(self) -> str:
        place = f"{self.file}:{self.pointer}: " if self.file or self.pointer else ""
        return f"{place}{self.id}: {self.message}"


class MtiError(Exception):
    """What every refusal has in common: `faults`, all that were found, at least one.

    >>> import mti
    >>> issubclass(mti.InvalidModel, mti.MtiError)
    True
    """

    faults: tuple[Fault, ...]

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        return "\n".join(str(fault) for fault in self.faults)


class InvalidModel(MtiError, ValueError):
    """A model that cannot be built, or that has not what is asked of it.

    >>> import mti
    >>> try:
    ...     mti.build({"states": [{"name": "x"}], "equations": ["der(x) = y"]})
    ... except mti.InvalidModel as error:
    ...     print(error.faults[0].id)
    unknown-name
    """


class InvalidOption(MtiError, ValueError):
    """An option or argument that is not usable, by itself or for the model it is given with.

    >>> import mti
    >>> model = mti.Model(states=["x"], equations=["der(x) = 1"])
    >>> try:
    ...     mti.simulate(model, rtol=2)
    ... except mti.InvalidOption as error:
    ...     print(error)
    :/experiment/rtol: bad-option: expected an rtol of at least 2.22044605e-15 (ten roundings) and below 1, found 2
    """


class UnusableFile(MtiError, OSError):
    """A file that cannot be read or written, or is not of its format.

    >>> import mti
    >>> try:
    ...     mti.read("no_such_file.json")
    ... except mti.UnusableFile as error:
    ...     print(error.faults[0].id)
    file-unreadable
    """

    def __init__(self, faults: Iterable[Fault]) -> None:
        MtiError.__init__(self, faults)

    def __reduce__(self) -> tuple[type[UnusableFile], tuple[tuple[Fault, ...]]]:
        return type(self), (self.faults,)

    def __str__(self) -> str:
        return MtiError.__str__(self)


class NotReached(MtiError):
    """A time that a run was to reach, and did not.

    >>> import mti
    >>> model = mti.Model(states=["x"], equations=["der(x) = 1"], constraints=["x <= 1"])
    >>> try:
    ...     mti.linearize(model, at=2)
    ... except mti.NotReached as error:
    ...     print(error.faults[0].id)
    not-reached
    """


class ModesTooLarge(MtiError):
    """The structure of all modes at once is too large to be held; single modes can still be analysed.

    >>> import mti
    >>> mti.ModesTooLarge([mti.Fault("modes-too-large", "", "…")]).faults[0].id
    'modes-too-large'
    """


class ModelWarning(UserWarning):
    """What may end a run, or make it less accurate: told when it was made, and kept in `Result.warnings`. What other
    programs pass over in a file that was written.

    >>> import mti, warnings
    >>> warnings.simplefilter("error", mti.ModelWarning)   # makes them errors
    >>> warnings.resetwarnings()
    """
