"""Models put together of components and what connects them, by objects."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Union

from mti.document import document_of, text_of
from mti.model import Model
from mti.reading import build

Part = Union[Model, Mapping[str, Any], str, "os.PathLike[str]"]
Range = tuple[Union[int, str], Union[int, str]]


class Reference(str):
    """A signal of a component as connections and equations write it; -signal is its negative.

    >>> -Reference("tank1.flow")
    Reference('-tank1.flow')
    """

    __slots__ = ("_network",)
    _network: Network | None

    def __new__(cls, text: str, network: Network | None = None) -> Reference:
        self = super().__new__(cls, text)
        self._network = network
        return self

    def __reduce__(self) -> tuple[type[Reference], tuple[str]]:
        return Reference, (str(self),)  # a copy elsewhere is known by its text alone

    def __neg__(self) -> Reference:
        return Reference("-" + self, self._network)

    def __add__(self, other: str) -> str:
        return self._refuse() if isinstance(other, Reference) else super().__add__(other)

    def __mul__(self, other: Any) -> str:
        return self._refuse()

    __rmul__ = __sub__ = __rsub__ = __truediv__ = __rtruediv__ = __pow__ = __mul__

    def _refuse(self) -> str:
        raise TypeError(f"signals are joined by equations as texts, such as f'2*{{tank.T}} - 1'; found arithmetic with {self!r}")

    def __repr__(self) -> str:
        return f"Reference({str(self)!r})"


class Component:
    """One use of a model in a network, or an array of them: its attributes are its signals.

    `component["T"]` is the same as `component.T`, for names that are no attributes in Python or that go further in.

    >>> import mti
    >>> tank = mti.Network().add(mti.Model(name="tank", states={"T": 1}, equations=["der(T) = -T"]), 2)
    >>> tank, tank.T
    (<mti.Component tank2>, Reference('tank2.T'))
    """

    __slots__ = ("_name", "_network")

    def __init__(self, name: str, network: Network | None = None) -> None:
        self._name = name
        self._network = network

    def __getattr__(self, signal: str) -> Reference:
        if signal.startswith("__"):
            raise AttributeError(signal)
        return self[signal]

    def __getitem__(self, signal: str) -> Reference:
        return Reference(f"{self._name}.{signal}", self._network)

    def __str__(self) -> str:
        return self._name

    def __reduce__(self) -> tuple[type[Component], tuple[str]]:
        return Component, (self._name,)

    def __repr__(self) -> str:
        return f"<mti.Component {self._name}>"


class Network:
    """A model of components (docs/model-format.md, "Components"), put together step by step.

    What belongs to no component is given as to `Model`: parameters, inputs, equations that join signals of components, the
    experiment and so on. `build` makes the model; a network may be added to after that and built again.

    >>> import mti
    >>> tank = mti.Model(
    ...     name="tank", parameters={"a": 0.5}, inputs={"before": 0}, states={"T": 1},
    ...     equations=["der(T) = a*(before - T)"])
    >>> ring = mti.Network(experiment={"stop": 10})
    >>> tanks = [ring.add(tank, i, start={"T": i}) for i in (1, 2, 3)]
    >>> for here, before in zip(tanks, [tanks[-1], *tanks]):
    ...     ring.drive(here.before, before.T)
    >>> model = ring.build()
    >>> [signal.name for signal in model.states]
    ['tank1.T', 'tank2.T', 'tank3.T']
    >>> run = mti.simulate(model)
    >>> round(float(sum(run[name][-1] for name in ("tank1.T", "tank2.T", "tank3.T"))), 6)
    6.0
    """

    def __init__(self, **model: Any) -> None:
        self._document: dict[str, Any] = json.loads(text_of(document_of(**model)))
        self._components: list[dict[str, Any]] = self._document.pop("components", [])
        self._connections: list[dict[str, Any]] = self._document.pop("connections", [])

    def __copy__(self) -> Network:
        return copy.deepcopy(self)  # what is added to the one is not to be in the other

    def add(
        self,
        model: Part,
        *index: int | str,
        name: str = "",
        each: Mapping[str, Range] | None = None,
        parameters: Mapping[str, float | str] | None = None,
        start: Mapping[str, float | str] | None = None,
    ) -> Component:
        """Uses a model as a component called `name`, or as its model is, with `index` behind it: tank1, cell1_2.

        `model` is a `Model`, a model file, or what one says as a dictionary. `parameters` and `start` are numbers or
        expressions of the network's parameters; parameters can be set where the model was made by keywords, from a
        dictionary or from a file, and not where it was made otherwise (by `convert`, say), whose numbers are fixed. With
        `each={"i": (1, "n")}` and the index "i" it is an array, a component for each value; in connections
        its elements are "tank[i]" with `each`, and "tank[:]" are all.
        """
        source, own_name = _source_of(model)
        base = name or own_name
        if not base:
            raise ValueError("a component needs a name: neither `name` nor its model has one")
        entry: dict[str, Any] = {"name": base + "".join(f"[{i}]" for i in index), "model": source}
        if each:
            entry["for"] = _ranges(each)
        for key, values in (("parameters", parameters), ("start", start)):
            if values:
                entry[key] = dict(values)
        self._components.append(entry)
        if each:
            return Component(entry["name"], self)
        return Component(base + "_".join(str(i) for i in index), self)

    def drive(
        self, input: str, source: str | float, *, each: Mapping[str, Range] | None = None, name: str = ""
    ) -> None:
        """The input of a component follows a signal, an expression of signals, or is a number."""
        self._require_own(input, source)
        self._connect({"input": str(input), "from": str(source)}, each, name)

    def equal(self, *signals: str, each: Mapping[str, Range] | None = None, name: str = "") -> None:
        """All are equal: potentials at a node."""
        self._require_own(*signals)
        self._connect({"equal": _texts(signals)}, each, name)

    def balance(self, *signals: str, each: Mapping[str, Range] | None = None, name: str = "") -> None:
        """Their sum is 0: flows at a node, those that leave it with a minus sign.

        >>> import mti
        >>> source = mti.Model(name="source", algebraic=["i"], equations=["i = 2"])
        >>> store = mti.Model(name="store", states={"q": 0}, algebraic=["i"], equations=["der(q) = i"])
        >>> circuit = mti.Network(experiment={"stop": 1})
        >>> supply, bank = circuit.add(source), circuit.add(store)
        >>> circuit.balance(supply.i, -bank.i)
        >>> round(float(mti.simulate(circuit.build())["store.q"][-1]), 9)
        2.0
        """
        self._require_own(*signals)
        self._connect({"balance": _texts(signals)}, each, name)

    def _require_own(self, *signals: Any) -> None:
        for signal in signals:
            if isinstance(signal, Reference) and signal._network not in (None, self):
                raise ValueError(f"expected signals of this network, found {signal!r} of another one")

    def _connect(self, connection: dict[str, Any], each: Mapping[str, Range] | None, name: str) -> None:
        if each:
            connection["for"] = _ranges(each)
        if name:
            connection["name"] = name
        self._connections.append(connection)

    def document(self) -> dict[str, Any]:
        """What a model file of the network says, as a dictionary."""
        document = dict(self._document)
        if self._components:
            document["components"] = self._components
        if self._connections:
            document["connections"] = self._connections
        result: dict[str, Any] = json.loads(text_of(document))
        return result

    def build(self, *, set: Mapping[str, float] | None = None) -> Model:
        """The model of what there is so far; `set` replaces values by name. Errors: `InvalidModel` with every fault."""
        return build(self.document(), set=set)

    def __repr__(self) -> str:
        return f"<mti.Network: {len(self._components)} components, {len(self._connections)} connections>"


def _ranges(each: Mapping[str, Range]) -> dict[str, list[int | str]]:
    if not isinstance(each, Mapping):
        raise TypeError(f"each: expected a dictionary from indices to (first, last), found {each!r}")
    return {index: [first, last] for index, (first, last) in each.items()}


def _texts(signals: Sequence[str]) -> list[str]:
    if len(signals) < 2:
        raise ValueError(f"a connection joins two signals or more, found {len(signals)}")
    return [str(signal) for signal in signals]


def _source_of(part: Part) -> tuple[Any, str]:
    """What `model` of a component holds: a path, or what a model file says but for its format; and the model's name."""
    source: Any
    if isinstance(part, Model):
        made_of = None if part._bound else part._unchanged_source()
        is_open = made_of is not None and not made_of.directory
        source = made_of.what if made_of is not None and is_open else json.loads(part._loaded.text(equations=True))
        name = part.name
    elif isinstance(part, Mapping):
        source, name = part, str(part.get("name", ""))
    else:
        source, name = os.path.abspath(os.fspath(part)), ""
    if isinstance(source, str):
        return source, name or os.path.splitext(os.path.basename(source))[0]
    # A copy, since what it is of may be changed before the network is built.
    own = {key: value for key, value in source.items() if key not in ("format", "version", "$schema")}
    return json.loads(text_of(own)), name
