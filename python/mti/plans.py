"""Plans of studies and fits, as files or as dictionaries."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Union

from mti.document import text_of
from mti.model import Model

Plan = Union[Mapping[str, Any], str, os.PathLike[str]]


def text_and_place(plan: Plan, format: str, directory: str) -> tuple[str | None, str]:
    """The text of a plan and the folder of its files; nothing and the file of the plan.

    A model that was read or built stands there as it was written, with its parameters, and what was set of it beside it. Errors:
    ValueError where its files have changed since, or are looked for in another folder than those of the plan.
    """
    if not isinstance(plan, Mapping):
        return None, os.fspath(plan)
    document: dict[str, Any] = {"format": format, "version": 1, **plan}
    model = plan.get("model")
    if isinstance(model, Model):
        source = model._unchanged_source()
        if source is not None and model._bound:
            free = _estimated_or_varied(plan)
            bound = {name: value for name, value in model._bound.items() if name not in free}
            document["set"] = {**bound, **plan.get("set", {})}
        if source is not None and source.directory:
            if directory and os.path.abspath(directory) != source.directory:
                raise ValueError(f"the files of the model are in {source.directory}, and those of the plan in {directory}")
            directory = source.directory
        model = json.loads(model.to_json()) if source is None else source.what
    if isinstance(model, Mapping):
        model = {"format": "mti-model", "version": 1, **model}
    elif isinstance(model, os.PathLike):
        model = os.fspath(model)
    if model is not None:
        document["model"] = model
    return text_of(document), directory


def _estimated_or_varied(plan: Mapping[str, Any]) -> set[str]:
    """What a plan gives values of its own, by the names that `bind` knows: a, and x of start(x)."""
    names = set(plan.get("vary", {}))
    for name, parameter in plan.get("parameters", {}).items():
        if isinstance(parameter, Mapping) and not parameter.get("experiments"):
            names.add(parameter.get("quantity", name))
    return names | {name[name.index("(") + 1 : -1] for name in names if name.endswith(")")}
