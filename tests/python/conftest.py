"""Where tests find models and the program; figures are drawn without a screen."""

from __future__ import annotations

import os
import pathlib

import matplotlib
import pytest

matplotlib.use("Agg")

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def root() -> pathlib.Path:
    return ROOT


@pytest.fixture
def program() -> str:
    """The command line program of the same build."""
    path = os.environ.get("MTI_PROGRAM", "")
    if not path:
        pytest.skip("MTI_PROGRAM does not say where the program is")
    return path


@pytest.fixture(autouse=True)
def in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples name files from the root of the tree."""
    monkeypatch.chdir(ROOT)
