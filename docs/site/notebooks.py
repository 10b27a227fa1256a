"""Executed notebooks as pages of the site.

Usage: notebooks.py PLACE; turns each PLACE/*.ipynb into a page PLACE/NAME.md with its outputs, pictures in files beside it.
"""

from __future__ import annotations

import base64
import pathlib
import sys

import nbclient
import nbformat


def fenced(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"


def shown(output: nbformat.NotebookNode, picture: pathlib.Path) -> str:
    """What an output is in Markdown: a picture, a page, or a text."""
    if output.output_type == "stream":
        return fenced(output.text, "text")
    data = output.data
    if "image/png" in data:
        picture.write_bytes(base64.b64decode(data["image/png"]))
        return f"![picture]({picture.name})\n"
    if "text/html" in data:
        # Formulas stand between \begin and \end; MathJax looks for them where this class is.
        return fenced(f'<div class="mathjax_process">\n{data["text/html"]}\n</div>', "{raw} html")
    return fenced(data["text/plain"], "text")


def page(book: nbformat.NotebookNode, name: str, place: pathlib.Path) -> str:
    parts = []
    for number, cell in enumerate(book.cells):
        if cell.cell_type == "markdown":
            parts.append(cell.source + "\n")
            continue
        parts.append(fenced(cell.source, "python"))
        parts += [shown(output, place / f"{name}_{number}_{i}.png") for i, output in enumerate(cell.outputs)]
    return "\n".join(parts)


def main() -> None:
    place = pathlib.Path(sys.argv[1])
    for file in sorted(place.glob("*.ipynb")):
        book = nbformat.read(file, as_version=4)
        nbclient.NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(place)}}).execute()
        (place / f"{file.stem}.md").write_text(page(book, file.stem, place))
        nbformat.write(book, file)  # to be downloaded with its outputs


if __name__ == "__main__":
    main()
