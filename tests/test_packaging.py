"""The built wheel is whole: it installs outside the checkout, and both commands run from anywhere."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

import pytest

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).resolve().parents[1]
BOUND_S = 120  # building takes 2 s and installing 3; a package index that does not answer must not hang us
SCRIPTS = Path(sysconfig.get_path("scripts")).name


def ran(*argv: str | Path, cwd: Path) -> str:
    done = subprocess.run(argv, cwd=cwd, capture_output=True, text=True, timeout=BOUND_S)
    assert done.returncode == 0, f"{argv}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("dist")
    ran(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", target, cwd=ROOT)
    (built,) = target.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def inside(wheel: Path) -> list[PurePosixPath]:
    with zipfile.ZipFile(wheel) as archive:
        return [PurePosixPath(name) for name in archive.namelist()]


@pytest.fixture(scope="module")
def scripts(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of a fresh environment that holds the wheel.

    Its dependencies are those of the environment that runs the tests, lent by a path line: such a line adds
    the folder but not the folder's own path lines, so the checkout installed there stays unseen.
    """
    home = tmp_path_factory.mktemp("elsewhere") / "venv"
    ran(sys.executable, "-m", "venv", "--without-pip", home, cwd=home.parent)
    python = home / SCRIPTS / "python"
    ran(
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        wheel,
        cwd=ROOT,
    )
    own = ran(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home).strip()
    Path(own, "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return home / SCRIPTS


def test_the_wheel_holds_the_page_and_the_materials(inside: list[PurePosixPath]) -> None:
    assert PurePosixPath("chardesk/page/index.html") in inside
    assert PurePosixPath("chardesk/page/main.js") in inside
    assert any(path.suffix == ".md" and path.is_relative_to("chardesk/materials") for path in inside)


def test_the_wheel_holds_nothing_that_only_developers_use(inside: list[PurePosixPath]) -> None:
    unwanted = re.compile(
        r"tests|importroot|node_modules|__pycache__|tsconfig.*|package.*\.json|.*\.test\.js"
    )
    assert not [path for path in inside if any(unwanted.fullmatch(part) for part in path.parts)]


def test_the_wheel_takes_no_other_top_level_name(inside: list[PurePosixPath]) -> None:
    tops = {path.parts[0] for path in inside}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"chardesk"}


def test_the_installed_package_is_the_wheel_not_the_checkout(scripts: Path) -> None:
    found = ran(scripts / "python", "-c", "import chardesk.broker as b; print(b.__file__)", cwd=Path("/"))
    assert Path(found.strip()).is_relative_to(scripts.parent)


def test_chardesk_shows_its_help_and_its_version_from_anywhere(scripts: Path) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert "serve" in ran(scripts / "chardesk", "--help", cwd=Path("/"))
    assert version in ran(scripts / "chardesk", "--version", cwd=Path("/"))


def test_chardesk_mcp_shows_its_help_from_anywhere(scripts: Path) -> None:
    assert "chardesk-mcp" in ran(scripts / "chardesk-mcp", "--help", cwd=Path("/"))
