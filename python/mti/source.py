"""What a model was made of."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple, Union

from mti import _core
from mti.document import text_of

_FILES = ("model", "csv", "file", "epw")  # members of model files that name others


class Source(NamedTuple):
    """A model file, or what one says, with the folder in which the files that it names are looked for; empty: it names none."""

    what: Union[str, dict[str, Any]]
    directory: str = ""
    confine: bool = False

    @classmethod
    def of_text(cls, text: str, directory: str | os.PathLike[str] = "", confine: bool = False) -> Source:
        """Of the text of a model file; the folder is the one that `directory` is now, where Python may be at work in another later."""
        document: dict[str, Any] = json.loads(text)
        named = os.path.abspath(directory) if os.fspath(directory) or _names_files(document) else ""
        return cls(document, named, confine)

    @property
    def names_files(self) -> bool:
        """Files may be others by now."""
        return isinstance(self.what, str) or bool(self.directory)

    @property
    def place(self) -> str:
        """The file, or the folder of the files."""
        return self.what if isinstance(self.what, str) else self.directory

    def built(self, bound: Mapping[str, float]) -> _core.Model:
        """The model of what stands there now, with these values."""
        values = list(bound.items())
        if isinstance(self.what, str):
            return _core.read(self.what, values, self.confine)
        return _core.build_text(text_of(self.what), self.directory, values, self.confine)


def _names_files(value: Any) -> bool:
    if isinstance(value, dict):
        return any((key in _FILES and isinstance(entry, str)) or _names_files(entry) for key, entry in value.items())
    return isinstance(value, list) and any(map(_names_files, value))
