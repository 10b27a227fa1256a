"""What scripts/build-docs needs: every document has its place in the site, and a link that leads nowhere is seen."""

from __future__ import annotations

import importlib.util
import pathlib
import subprocess
import sys
from types import ModuleType

import pytest


def module(path: pathlib.Path) -> ModuleType:
    found = importlib.util.spec_from_file_location(path.stem, path)
    assert found and found.loader
    loaded = importlib.util.module_from_spec(found)
    found.loader.exec_module(loaded)
    return loaded


def test_every_document_has_a_place(root: pathlib.Path) -> None:
    table = module(root / "docs/site/stage.py").TABLE
    places = [page for pages in table.values() for page in pages]
    documents = [*root.glob("docs/*.md"), *root.glob("examples/*.md"), *root.glob("examples/*/README.md")]
    assert len(documents) > 25 and len(places) == len(set(places))
    assert {str(path.relative_to(root).with_suffix("")) for path in documents} <= set(places)


def test_pages_are_written_for_myst(root: pathlib.Path, tmp_path: pathlib.Path) -> None:
    page = module(root / "docs/site/stage.py").page
    (tmp_path / "models").mkdir()
    assert page("```math\nx\n```\n", tmp_path) == "```{math}\nx\n```\n"
    assert page("[these](models), [that](models/a.json)", tmp_path) == "these, [that](models/a.json)"


def test_docstrings_stay_as_they_are_written(root: pathlib.Path) -> None:
    as_written = module(root / "docs/site/docstrings.py").as_written
    lines = ["A sum |S|:", "", "    f = |a| * b", "", "and then:", "", ">>> 1 + 1", "2"]
    as_written(None, "", "", None, None, lines)
    text = "\n".join(lines)
    assert "::\n\n    f = |a| * b\n" in text  # as a block of its own, to the letter
    assert "A sum \\|S\\|:" in text and ">>> 1 + 1\n2" in text


@pytest.mark.parametrize(("link", "fault"), [
    ("b.html", ""), ("b.html#there", ""), ("#here", ""), ("https://example.org", ""),
    ("c.html", "no file c.html"), ("b.html#nowhere", "no place b.html#nowhere"), ("../b.html", "no file ../b.html")])
def test_links_are_followed(link: str, fault: str, root: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.html").write_text(f'<h1 id="here">A</h1><a href="{link}">to</a>')
    (tmp_path / "b.html").write_text('<a name="there"></a>')
    run = subprocess.run([sys.executable, str(root / "docs/site/check_links.py"), str(tmp_path)],
                         capture_output=True, text=True, check=False)
    assert (run.returncode != 0) == bool(fault) and fault in run.stdout
