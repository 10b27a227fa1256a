"""From Python's words for a model to the text of a model file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray


_MEMBERS = (
    "equations", "constraints", "states", "inputs", "algebraic", "binaries", "parameters", "invariants",
    "transitions", "scenarios", "initial", "experiment", "matrices", "name", "description", "sample_time", "sample",
    "components", "connections", "when")


def document_of(**members: Any) -> dict[str, Any]:
    """A model file as a dictionary, of what `Model` is given; what is empty is left out. TypeError for other members."""
    unknown = [key for key in members if key not in _MEMBERS]
    if unknown:
        raise TypeError(f"a model has no {', '.join(unknown)}; it may have {', '.join(_MEMBERS)}")
    document: dict[str, Any] = {"format": "mti-model", "version": 1}
    for key in ("states", "algebraic", "binaries"):
        members[key] = _declared(members.get(key, ()), "start")
    members["inputs"] = [
        {**entry, "value": 0} if entry.keys() <= {"name", "unit", "nominal", "binary"} else entry
        for entry in _declared(members.get("inputs", ()), "value")]
    for key in ("equations", "constraints", "initial"):
        members[key] = _relations(members.get(key, ()))
    for key in ("components", "connections", "when"):
        members[key] = [dict(entry) for entry in members.get(key) or ()]
    document.update((key, value) for key, value in members.items() if value is not None and not _is_empty(value))
    return document


def _is_empty(value: Any) -> bool:
    return isinstance(value, (str, list, tuple, dict)) and len(value) == 0


def _declared(signals: Mapping[str, Any] | Iterable[Any], value_key: str) -> list[dict[str, Any]]:
    """{"x": 1, "y": {"unit": "m"}} or ["x", {"name": "y"}] as a list of declarations."""
    if isinstance(signals, str):
        raise TypeError(f"expected a list of signals, found the text {signals!r}")
    if isinstance(signals, Mapping):
        entries = [
            {"name": name, **(value if isinstance(value, Mapping) else {value_key: value})}
            for name, value in signals.items()]
    else:
        entries = [dict(entry) if isinstance(entry, Mapping) else {"name": entry} for entry in signals]
    return [{key: _bits(key, value) for key, value in entry.items()} for entry in entries]


def _bits(key: str, value: Any) -> Any:
    """True and False, as values of binaries are written in Python, are 1 and 0 in a model file, in tables, too."""
    if key == "table" and isinstance(value, Mapping) and "value" in value and not isinstance(value["value"], str):
        return {**value, "value": [_bit(entry) for entry in value["value"]]}
    return _bit(value) if key in ("start", "value") else value


def _bit(value: Any) -> Any:
    return int(value) if isinstance(value, (bool, np.bool_)) else value


def numbers(values: Any, what: str) -> NDArray[np.float64]:
    """An array of numbers. Errors: TypeError for dates and durations, which NumPy would take for nanoseconds."""
    array = np.asarray(values)
    refuse_times(array, what)
    return array.astype(np.float64, copy=False)


def refuse_times(value: Any, what: str) -> None:
    """TypeError for dates and durations of NumPy."""
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "mM":
        raise TypeError(
            f"{what}: expected numbers, found {value.dtype}; (t - t[0]) / np.timedelta64(1, 's') are seconds")


def run_options(**words: Any) -> dict[str, Any]:
    """Options of a run. Errors: TypeError for dates and durations."""
    for name, value in words.items():
        if isinstance(value, np.ma.MaskedArray) and bool(np.any(value.mask)):
            raise ValueError(f"{name}: expected numbers, found masked entries; {name}.compressed() leaves them out")
        refuse_times(np.asarray(value) if name == "t_eval" and value is not None else value, name)
    return words


def names_of(values: str | Iterable[str]) -> list[str]:
    """A list of names; a text is one name."""
    return [values] if isinstance(values, str) else list(values)


def _relations(relations: Any) -> list[Any]:
    """["a = b", ("name", "a = b")] or {"name": "a = b"} as a list of relations."""
    if isinstance(relations, str):
        raise TypeError(f"expected a list of relations, found the text {relations!r}")
    if isinstance(relations, Mapping):
        return [{"name": name, "text": text} for name, text in relations.items()]
    return [{"name": entry[0], "text": entry[1]} if isinstance(entry, tuple) else entry for entry in relations]


def named_numbers(values: Any, what: str) -> dict[str, Any]:
    """A dictionary of names; None is an empty one. Errors: TypeError for what is none."""
    if values is None:
        return {}
    if not isinstance(values, Mapping) or not all(isinstance(name, str) for name in values):
        raise TypeError(f"{what}: expected a dictionary from names to numbers, found {values!r}")
    for name, value in values.items():
        refuse_times(value, f"{what}: {name}")
    return dict(values)


def text_of(document: Mapping[str, Any]) -> str:
    """The text of a model file: numbers read back bit for bit."""
    return json.dumps(document, default=_plain, ensure_ascii=False)


def _plain(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        refuse_times(value, "model")
        is_long = value.dtype.kind == "f" and value.dtype.itemsize > 8  # which Python has no number for
        return value.astype(np.float64).tolist() if is_long else value.tolist()
    if scipy.sparse.issparse(value):
        entries = value.tocoo()
        return {"rows": entries.shape[0], "cols": entries.shape[1], "i": entries.row.tolist(),
                "k": entries.col.tolist(), "v": entries.data.tolist()}  # fmt: skip
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"a model cannot hold {type(value).__name__}: {value!r}")


def overrides(values: Mapping[str, float] | None) -> list[tuple[str, float]]:
    """The values of `set`, by name, as C++ takes them."""
    return [(name, float(value)) for name, value in named_numbers(values, "set").items()]
