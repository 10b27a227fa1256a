"""What a model was made of."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple, Union

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


def _names_files(value: Any) -> bool:
    if isinstance(value, dict):
        return any((key in _FILES and isinstance(entry, str)) or _names_files(entry) for key, entry in value.items())
    return isinstance(value, list) and any(map(_names_files, value))
