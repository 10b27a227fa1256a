"""Settings of Sphinx for the site that scripts/build-docs makes. Nothing in it is fetched when it is read."""

from __future__ import annotations

import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))  # where docstrings.py stands
from docstrings import as_written

project = "mti"
version = release = re.search(r"VERSION (\d+\.\d+\.\d+)", pathlib.Path(os.environ["MTI_SOURCES"], "CMakeLists.txt").read_text())[1]  # type: ignore[index]
copyright = "The mti developers"
html_show_sphinx = False

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.mathjax"]
suppress_warnings = ["misc.highlighting_failure"]  # docs/errors.md shows what is no JSON
html_theme = "furo"
html_title = f"mti {version}"
html_static_path = ["_static"]
html_copy_source = False

myst_enable_extensions = ["dollarmath", "html_image"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
myst_update_mathjax = False
# MathJax of Debian, copied into the site: formulas are drawn without a network.
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_SVG-full"
mathjax2_config = {"tex2jax": {"processClass": "tex2jax_process|mathjax_process|math"}}

breathe_projects = {"mti": "_xml"}
breathe_default_project = "mti"
cpp_index_common_prefix = ["mti::"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
add_module_names = False
default_role = "literal"


def setup(app):  # type: ignore[no-untyped-def]
    app.connect("autodoc-process-docstring", as_written)
