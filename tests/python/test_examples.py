"""Every name is documented, and the examples of the documentation run."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pathlib
import pkgutil

import matplotlib.pyplot
import pytest

import mti

# Of the shared libraries that stand beside the sources one is no module at all.
LIBRARIES = ("mti._core", "mti.libmti_fmu")
MODULES = ["mti", *(module.name for module in pkgutil.walk_packages(mti.__path__, "mti.") if module.name not in LIBRARIES)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_print_what_they_say(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    matplotlib.pyplot.close("all")
    assert failed == 0


@pytest.mark.parametrize(("name", "least"), [("docs/python.md", 20), ("README.md", 3)])
def test_the_blocks_of_documents_run(name: str, least: int, root: pathlib.Path, tmp_path: pathlib.Path) -> None:
    failed, tried = doctest.testfile(
        str(root / name), module_relative=False, encoding="utf-8", globs={"folder": str(tmp_path)})
    matplotlib.pyplot.close("all")
    assert failed == 0 and tried >= least


def public() -> list[tuple[str, object]]:
    return [(name, getattr(mti, name)) for name in mti.__all__ if name != "__version__"]


@pytest.mark.parametrize(("name", "thing"), public(), ids=[name for name, _ in public()])
def test_every_name_has_an_example(name: str, thing: object) -> None:
    assert ">>>" in (thing.__doc__ or "")
    if inspect.isclass(thing):
        for member, value in vars(thing).items():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert inspect.getdoc(getattr(thing, member)), f"{name}.{member}"


def test_all_is_all() -> None:
    assert set(mti.__all__) == {name for name in mti.__all__ if hasattr(mti, name)}
    assert mti.__version__.count(".") == 2
