"""Lays the pages of the site out as Sphinx wants them: documents and examples as they stand in the sources, the front
page from README.md, and pages made from the program, the Python package and the headers.

Usage: stage.py SOURCES BUILD PLACE
"""

from __future__ import annotations

import pathlib
import re
import shutil
import sys
import xml.etree.ElementTree as ElementTree

# The pages in their order, below headings. A document that stands in no list is a fault (tests/python/test_site.py).
TABLE = {
    "First steps": ["docs/tutorial", "docs/python", "docs/language", "docs/idioms", "docs/studies", "docs/cluster",
                    "docs/fitting", "docs/identification"],
    "Gallery": ["examples/README", "examples/thermostat/README", "examples/water_tank/README",
                "examples/rectifier/README", "examples/three_tank/README", "examples/tank_ring/README",
                "examples/hvac_room/README", "examples/clutch/README", "examples/bouncing_ball/README",
                "examples/buck_converter/README", "examples/relay_sliding/README", "examples/cup_and_ball/README"],
    "Notebooks": ["examples/notebooks/README", "examples/notebooks/1_three_tanks", "examples/notebooks/2_bouncing_ball",
                  "examples/notebooks/3_thermostat_and_relay", "examples/notebooks/4_own_model",
                  "examples/notebooks/5_linearisation_and_control"],
    "Reference": ["docs/commands", "docs/model-format", "docs/errors", "docs/python-reference", "docs/reference",
                  "docs/exchange", "docs/fmi", "docs/modelica", "docs/reduced-index", "docs/sbml"],
    "Theory": ["docs/theory", "docs/events", "docs/restarts", "docs/all-modes", "docs/discrete-time",
               "docs/linearisation", "docs/sensitivities", "docs/equilibria", "docs/equations", "docs/glossary"],
    "Project": ["docs/architecture", "docs/dependencies", "docs/known-issues", "bench/README", "CONTRIBUTING",
                "CHANGELOG"],
}
FILES = ["LICENSE", "NOTICE", "CITATION.cff", "CHANGELOG.md", "CONTRIBUTING.md", "bench/README.md",
         "bench/work_precision.svg"]
MATHJAX = pathlib.Path("/usr/share/javascript/mathjax")
MATHJAX_PARTS = ["MathJax.js", "config/TeX-AMS_SVG-full.js", "extensions", "jax/element", "jax/input/TeX",
                 "jax/output/SVG/autoload", "jax/output/SVG/config.js", "jax/output/SVG/jax.js",
                 "jax/output/SVG/fonts/TeX", "localization/en"]  # fmt: skip


def page(text: str, folder: pathlib.Path) -> str:
    """A document of the sources for MyST: notebooks are pages; fences ```math as GitHub has them are directives there, csv is no language of
    Pygments, the front page is index.md, and a site has no page for a folder."""
    text = re.sub(r"\((\d_\w+)\.ipynb\)", r"(\1.md)", text)  # notebooks are pages here
    if not (folder / "../README.md").exists():
        text = text.replace("](../README.md)", "](../index.md)")
    text = text.replace("```math\n", "```{math}\n").replace("```csv\n", "```text\n")
    return re.sub(r"\[([^]]*)\]\(([\w./-]+)\)", lambda link: link[1] if (folder / link[2]).is_dir() else link[0], text)


def declarations(build: pathlib.Path, place: pathlib.Path) -> pathlib.Path:
    """The XML of Doxygen as Sphinx reads it: files without the namespace that all of them open; 20'000 in one piece;
    {.digits=17}, the first member by its name, as {17}."""
    shutil.copytree(build / "reference/xml", place)
    for file in place.glob("*.xml"):
        text = re.sub(r"\s*<innernamespace .*?</innernamespace>", "", file.read_text())
        text = re.sub(r"(?<=\d) ('|&apos;)(?=\d{3})", r"\1", text)
        file.write_text(re.sub(r"(?<==|>)\{\.\w+=(\w+)\}", r"{\1}", text))
    return place


def contents(place: pathlib.Path) -> str:
    blocks = []
    for caption, pages in TABLE.items():
        lines = "\n".join(name for name in pages if any((place / (name + kind)).exists() for kind in (".md", ".ipynb")))
        blocks.append(f"```{{toctree}}\n:hidden:\n:caption: {caption}\n:maxdepth: 2\n\n{lines}\n```\n")
    return "\n".join(blocks)


def headers_by_room(xml: pathlib.Path) -> dict[str, list[str]]:
    """The public headers by folder, of those that declare something: {"mti/model": ["mti/model/model.hpp", …]}."""
    rooms: dict[str, list[str]] = {}
    for compound in ElementTree.parse(xml / "index.xml").getroot().iter("compound"):
        if compound.get("kind") != "file" or not str(compound.findtext("name")).endswith(".hpp"):
            continue
        details = ElementTree.parse(xml / f"{compound.get('refid')}.xml").getroot()
        location = details.find("compounddef/location")
        if location is None or details.find(".//innerclass") is None and details.find(".//memberdef") is None:
            continue
        header = re.sub(r"^.*/include/", "", str(location.get("file")))
        rooms.setdefault(header.rsplit("/", 1)[0], []).append(header)
    return {room: sorted(headers) for room, headers in sorted(rooms.items())}


def reference_pages(xml: pathlib.Path, place: pathlib.Path) -> None:
    """A page for each room of headers, all of them below docs/reference.md."""
    rooms = headers_by_room(xml)
    names = []
    for room, headers in rooms.items():
        name = "cpp/" + room.replace("/", "-")
        names.append(name)
        text = f"# {room}/\n"
        for header in headers:
            text += f"\n## {header.rsplit('/', 1)[1]}\n\n`#include <{header}>`\n\n```{{doxygenfile}} {header}\n```\n"
        (place / "docs" / f"{name}.md").parent.mkdir(exist_ok=True)
        (place / "docs" / f"{name}.md").write_text(text)
    with (place / "docs/reference.md").open("a") as file:
        file.write("\n```{toctree}\n:maxdepth: 1\n\n" + "\n".join(names) + "\n```\n")


def python_page(sources: pathlib.Path) -> str:
    """Every public name of the package mti, and the module of pictures."""
    initial = (sources / "python/mti/__init__.py").read_text()
    names = re.findall(r'^    "(\w+)",$', initial, re.MULTILINE)
    functions = [name for name in names if name[0].islower() and name != "__version__"]
    classes = [name for name in names if name[0].isupper()]
    text = "# The Python package, name by name\n\nThe way in is [python.md](python.md).\n\n## Functions\n"
    text += "".join(f"\n```{{eval-rst}}\n.. autofunction:: mti.{name}\n```\n" for name in functions)
    text += "\n## Classes\n"
    text += "".join(f"\n```{{eval-rst}}\n.. autoclass:: mti.{name}\n   :members:\n```\n" for name in classes)
    return text + "\n## Pictures\n\n```{eval-rst}\n.. automodule:: mti.plotting\n   :members:\n   :imported-members:\n```\n"


def main() -> None:
    sources, build, place = (pathlib.Path(argument) for argument in sys.argv[1:])
    shutil.rmtree(place, ignore_errors=True)
    for folder in ("docs", "examples"):
        shutil.copytree(sources / folder, place / folder, ignore=shutil.ignore_patterns("site", "*.in", "CMakeLists.txt"))
    for file in FILES:
        (place / file).parent.mkdir(exist_ok=True)
        shutil.copy(sources / file, place / file)
    shutil.copy(build / "program/written/mti.md", place / "docs/commands.md")
    (place / "docs/python-reference.md").write_text(python_page(sources))
    (place / "index.md").write_text((sources / "README.md").read_text() + "\n" + contents(place))
    reference_pages(declarations(build, place / "_xml"), place)
    for document in place.rglob("*.md"):
        document.write_text(page(document.read_text(), document.parent))
    for part in MATHJAX_PARTS:
        target = place / "_static/mathjax" / part
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (MATHJAX / part).is_dir() else shutil.copy)(MATHJAX / part, target)
    for file in ("conf.py", "docstrings.py"):
        shutil.copy(sources / "docs/site" / file, place / file)


if __name__ == "__main__":
    main()
