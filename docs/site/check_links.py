"""Follows every link of a site that stays in it, to the file and to the place in the file.

Usage: check_links.py SITE; prints what leads nowhere, and fails then.
"""

from __future__ import annotations

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The places of a page, and what it refers to."""

    def __init__(self, file: pathlib.Path) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: list[str] = []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (name == "name" and tag == "a"):
                self.places.add(value)
            elif name in ("href", "src"):
                self.links.append(value)


def main() -> int:
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {file: Page(file) for file in sorted(root.rglob("*.html")) if "_static" not in file.parts}
    followed, outside, faults = 0, set(), []
    for file, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                outside.add(link)
                continue
            followed += 1
            target = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            place = urllib.parse.unquote(parts.fragment)
            if target.is_dir():
                target /= "index.html"
            if not target.is_relative_to(root) or not target.exists():
                faults.append(f"{file.relative_to(root)}: no file {link}")
            elif place and target in pages and place not in pages[target].places:
                faults.append(f"{file.relative_to(root)}: no place {link}")
    print("\n".join([*faults, f"{len(pages)} pages, {followed} links followed, {len(outside)} that lead outside, "
                                f"{len(faults)} that lead nowhere"]))
    return 1 if faults or not pages else 0


sys.exit(main())
