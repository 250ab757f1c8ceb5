"""Every recipe of the cookbook draws what it says, and fits the declarations that scripts are promised."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from drawing import drawn, scene_of
from scripting import run_on, started

from chardesk.broker.sandbox.outcome import Finished
from chardesk.materials import shelf

ROOT = Path(__file__).resolve().parents[1]
TSC = ROOT / "tests" / "node_modules" / ".bin" / "tsc"
STRICT = ("--noEmit", "--allowJs", "--checkJs", "--strict", "--noImplicitAny", "false", "--lib", "es2022")


class Recipe(NamedTuple):
    name: str
    before: str
    script: str
    after: str


def recipes() -> list[Recipe]:
    """The sections of the material, each with its drawings."""
    found = []
    for section in shelf.read("cookbook")[1].split("\n## ")[1:]:
        blocks = dict(re.findall(r"```(text before|js script|text after)\n(.*?)```", section, re.DOTALL))
        before = blocks.get("text before", "").rstrip("\n")
        found.append(
            Recipe(section.split("\n")[0], before, blocks["js script"], blocks["text after"].rstrip())
        )
    return found


RECIPES = recipes()


def test_there_are_twelve_recipes() -> None:
    assert len(RECIPES) == 12


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
async def test_a_recipe_draws_what_it_says(recipe: Recipe) -> None:
    async with started() as backend:
        ran = await run_on(backend, recipe.script, scene_of(recipe.before))
    assert isinstance(ran.outcome, Finished), ran.outcome
    assert not isinstance(ran.outcome.result, dict) or ran.outcome.result.get("ok", True), ran.outcome.result
    assert drawn(ran.scene) == f"\n{recipe.after}"


@pytest.mark.e2e
def test_the_recipes_fit_the_declarations(tmp_path: Path) -> None:
    """A function each, as the sandbox makes one of a script, checked by the TypeScript compiler."""
    declared = re.findall(r"```ts\n(.*?)```", shelf.read("canvas.d.ts")[1], re.DOTALL)
    (tmp_path / "canvas.d.ts").write_text("".join(declared), encoding="utf-8")
    scripts = [f"async function _{number}() {{\n{one.script}\n}}" for number, one in enumerate(RECIPES)]
    (tmp_path / "recipes.js").write_text("\n".join(scripts), encoding="utf-8")
    command = [str(TSC), *STRICT, str(tmp_path / "canvas.d.ts"), str(tmp_path / "recipes.js")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout
