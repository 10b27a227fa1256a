"""The build backend of pip (PEP 517): CMake compiles and installs the package, this puts it into a wheel.

Only the standard library is used, so that `pip install .` has nothing to download. The build is kept in build/wheel,
where a second one has little left to do. `--config-settings=build=DIR` takes a build that is there already. `--config-settings=cmake='-DNAME=VALUE …'` is handed on to CMake.
"""

from __future__ import annotations

import base64
import hashlib
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "wheel"


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Nothing but what the system has: CMake, a compiler and the libraries of docs/dependencies.md."""
    return []


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    """Writes what is known before anything is compiled, and returns the name of its folder."""
    version = project_version()
    info = pathlib.Path(metadata_directory) / f"mti-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(metadata(version), encoding="utf-8")
    return info.name


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """Makes the wheel in `wheel_directory` and returns its name."""
    version = project_version()
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    settings = config_settings or {}
    staged = installed(pathlib.Path(settings["build"])) if "build" in settings else compiled(settings)
    found = sorted(path for path in staged.rglob("*") if path.is_file())
    files = {path.relative_to(staged).as_posix(): path.read_bytes() for path in found}
    info = f"mti-{version}.dist-info"
    files[f"{info}/METADATA"] = metadata(version).encode()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: mti_build\nRoot-Is-Purelib: false\nTag: {tag}-{tag}-{platform}\n").encode()
    for name in ("LICENSE", "NOTICE"):
        files[f"{info}/{name}"] = (ROOT / name).read_bytes()
    files[f"{info}/RECORD"] = record(files, f"{info}/RECORD").encode()
    wheel = f"mti-{version}-{tag}-{tag}-{platform}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)  # without the time: equal builds are equal files
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return wheel


def project_version() -> str:
    """The version that CMakeLists.txt states."""
    found = re.search(r"^project\(\s*mti\s+VERSION\s+([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)
    if found is None:
        raise RuntimeError("CMakeLists.txt states no version")
    return found.group(1)


def compiled(settings: dict[str, Any]) -> pathlib.Path:
    """Builds the package and returns the folder in which it is installed as it goes into the wheel."""
    if shutil.which("cmake") is None:
        raise RuntimeError("mti needs CMake and its libraries: scripts/install-packages run python")
    options = settings.get("cmake", [])  # one text, or a list of texts
    options = [word for text in ([options] if isinstance(options, str) else options) for word in shlex.split(text)]
    configure = ["cmake", "-S", str(ROOT), "-B", str(BUILD), "-DCMAKE_BUILD_TYPE=Release", "-DMTI_BUILD_PROGRAM=OFF",
                 "-DMTI_BUILD_TESTS=OFF", "-DMTI_BUILD_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}",
                 "--log-level=WARNING"]  # fmt: skip
    if shutil.which("ninja") is not None:
        configure += ["-G", "Ninja"]
    subprocess.run([*configure, *options], check=True)
    subprocess.run(["cmake", "--build", str(BUILD), "--target", "mti_python", "--parallel"], check=True)
    return installed(BUILD)


def installed(build: pathlib.Path) -> pathlib.Path:
    """Installs the package of a build into a folder of it."""
    staged = build / "staged"
    shutil.rmtree(staged, ignore_errors=True)
    subprocess.run(
        ["cmake", "--install", str(build), "--component", "python", "--prefix", str(staged), "--strip"], check=True)
    return staged


def metadata(version: str) -> str:
    """METADATA, of what pyproject.toml says."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {version}",
             f"Summary: {project['description']}", f"License: {project['license']['text']}",
             f"Requires-Python: {project['requires-python']}"]  # fmt: skip
    lines += [f"Requires-Dist: {needed}" for needed in project["dependencies"]]
    for extra, needs in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}"] + [f'Requires-Dist: {needed}; extra == "{extra}"' for needed in needs]
    return "\n".join(lines) + "\n"


def record(files: dict[str, bytes], own_name: str) -> str:
    """RECORD: name, hash and size of every file but itself."""
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(content)}")
    return "\n".join([*lines, f"{own_name},,"]) + "\n"
