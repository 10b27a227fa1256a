"""Docstrings of the package are plain text: formulas stand indented, code in single quotes."""

from __future__ import annotations

from typing import Any


def as_written(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Makes indented lines literal blocks, and leaves nothing else that reStructuredText would take for markup."""
    result: list[str] = []
    was_indented = False
    for line in lines:
        is_indented = line.startswith(" ")
        if is_indented and not was_indented and not _continues(result):
            result += ["", "::", ""]
        result.append(line if is_indented or line.startswith(">>>") else line.replace("|", r"\|").replace("*", r"\*"))
        was_indented = is_indented or (was_indented and not line.strip())
    lines[:] = result


def _continues(before: list[str]) -> bool:
    """Whether an indented line belongs to the lines before it: an example's output, or an entry of a list."""
    block: list[str] = []
    for line in reversed(before):
        if not line.strip():
            break
        block.append(line)
    return any(line.startswith((">>>", "...", "- ", "* ")) for line in block)
