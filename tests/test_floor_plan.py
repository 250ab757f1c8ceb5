"""The floor plan of docs/floor-plan.md holds, and a breach of it would be seen."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import floors
import pytest
from floors import Plan, read_plan
from house import House, house, read_house

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def plan() -> Plan:
    return read_plan((ROOT / "docs" / "floor-plan.md").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def code() -> House:
    return read_house(ROOT)


def declared() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project.get("optional-dependencies", {}).values()
    wanted = [*project["dependencies"], *(each for extra in extras for each in extra)]
    return [floors.plain(re.split(r"[^\w.-]", each)[0]) for each in wanted]


def none(faults: list[str]) -> None:
    assert not faults, "\n" + "\n".join(faults)


def test_the_table_and_the_picture_agree(plan: Plan) -> None:
    none(floors.plan_faults(plan))


def test_every_file_lives_in_a_room(plan: Plan, code: House) -> None:
    assert code.texts
    none(floors.homeless(plan, code))


def test_every_room_is_built(plan: Plan) -> None:
    none(floors.unbuilt(plan, ROOT))


def test_imports_go_down_only(plan: Plan, code: House) -> None:
    none(floors.upward(plan, code))


def test_no_imports_run_in_a_circle(code: House) -> None:
    none(floors.circles(code))


def test_rooms_import_from_outside_only_what_the_table_lets_them(plan: Plan, code: House) -> None:
    none(floors.foreign(plan, code, declared()))


def test_the_desk_is_pure(code: House) -> None:
    none(floors.impure(code))


def test_model_and_edit_of_the_page_know_no_dom(code: House) -> None:
    none(floors.names_dom(code))


def test_no_file_of_code_is_too_long(code: House) -> None:
    none(floors.too_long(code))


# From here on: faults, planted in small houses, to see that each check can fail.

SMALL = """
```picture
faces      broker/faces
decides    broker/desk    page/view
operates   tools/look   tools/draw   page/model
ground     tools/model
```
| `broker/faces` | ways in | everything below | declared packages |
| `broker/desk` | decides | `tools/draw` `tools/model` | pure |
| `tools/look` | reads | `tools/model` | `wcwidth` |
| `tools/draw` | draws | `tools/model` | declared packages |
| `tools/model` | cells | nothing | standard library |
| `page/view` | paints | everything below | nothing |
| `page/model` | cells | nothing | nothing |

```pure
standard library without `time`
```
"""


@pytest.fixture
def small() -> Plan:
    return read_plan(SMALL)


def importing(file: str, statement: str, *others: str) -> House:
    return house({file: statement, **dict.fromkeys(others, "")})


@pytest.mark.parametrize(
    ("file", "statement", "fault"),
    [
        ("tools/draw/a.py", "from chardesk.broker.desk import desk", "broker/desk is above tools/draw"),
        ("tools/draw/a.py", "import chardesk.tools.look.read", "tools/look is beside tools/draw"),
        (
            "tools/draw/a.py",
            "def f():\n    from chardesk.tools import look",
            "tools/look is beside tools/draw",
        ),
        ("tools/draw/a.py", "import_module = m.import_module('chardesk.broker.desk')", "above tools/draw"),
        (
            "broker/desk/a.py",
            "from chardesk.tools.look import x",
            "the table does not let broker/desk import",
        ),
        ("broker/faces/a.py", "from chardesk.tools.lost import x", "that is in no room"),
        ("page/model/a.js", 'import { paint } from "../view/b.js";', "page/view is above page/model"),
        ("page/model/a.js", 'import {\n  paint,\n} from "../view/b.js";', "page/view is above page/model"),
        ("page/model/a.js", 'export * from "../view/b.js";', "page/view is above page/model"),
        ("page/model/a.js", '/** @import { View } from "../view/b.js" */', "page/view is above page/model"),
        ("page/model/a.js", '/** @type {import("../view/b.js").View} */', "page/view is above page/model"),
        ("page/model/a.js", 'await import("../view/b.js");', "page/view is above page/model"),
    ],
)
def test_an_import_that_does_not_go_down_is_named(small: Plan, file: str, statement: str, fault: str) -> None:
    (found,) = floors.upward(small, importing(file, statement, "tools/look/read.py", "page/view/b.js"))
    assert found.startswith(f"{file} imports ")
    assert fault in found


def test_an_import_that_goes_down_is_no_fault(small: Plan) -> None:
    code = importing("broker/desk/a.py", "from chardesk.tools.model.cell import Cell", "tools/model/cell.py")
    assert code.ours["broker/desk/a.py"] == ("tools/model/cell.py",)
    none(floors.upward(small, code))


def test_a_file_in_no_room_is_named_unless_it_holds_only_words(small: Plan) -> None:
    code = house(
        {
            "tools/stray.py": "",
            "tools/__init__.py": '"""Words."""',
            "page/stray.js": "",
            "broker/__init__.py": "x = 1",
        }
    )
    named = [fault.split()[0] for fault in floors.homeless(small, code)]
    assert named == ["tools/stray.py", "page/stray.js", "broker/__init__.py"]


def test_a_circle_is_drawn_from_file_to_file() -> None:
    code = house(
        {
            "tools/draw/a.py": "from chardesk.tools.draw import b",
            "tools/draw/b.py": "from chardesk.tools.draw.a import f",
            "tools/draw/c.py": "from chardesk.tools.draw import a",
        }
    )
    assert floors.circles(code) == ["a circle: tools/draw/a.py → tools/draw/b.py → tools/draw/a.py"]


@pytest.mark.parametrize(
    ("file", "statement"),
    [
        ("broker/desk/a.py", "import time"),
        ("broker/desk/a.py", "from time import monotonic"),
        ("broker/desk/a.py", "import wcwidth"),
        ("tools/model/a.py", "import wcwidth"),
        ("tools/draw/a.py", "import pytest"),
        ("tools/draw/a.py", "import broker"),
        ("page/model/a.js", 'import x from "left-pad";'),
        ("page/view/a.js", 'import "/page/model/b.js";'),
    ],
)
def test_an_import_from_outside_that_the_room_may_not_is_named(
    small: Plan, file: str, statement: str
) -> None:
    (fault,) = floors.foreign(small, importing(file, statement), declared())
    assert fault.startswith(f"{file} imports ")


def test_what_a_room_may_import_from_outside_is_no_fault(small: Plan) -> None:
    texts = {"tools/look/a.py": "import wcwidth, time", "tools/draw/a.py": "from pydantic import BaseModel"}
    none(floors.foreign(small, house(texts), declared()))


@pytest.mark.parametrize("line", ["async def f(): ...", "open('x')", "print('x')"])
def test_a_desk_that_waits_or_opens_is_named(line: str) -> None:
    (fault,) = floors.impure(house({"broker/desk/a.py": line}))
    assert fault.startswith("broker/desk/a.py:1 ")


def test_dom_in_code_is_named_but_not_in_words_or_properties() -> None:
    words = '// the document\nconst a = { window: 1 }; a.window; const b = "document.body";'
    code = house(
        {"page/model/a.js": words, "page/edit/b.js": "document.body;", "page/view/c.js": "document.body;"}
    )
    assert floors.names_dom(code) == ["page/edit/b.js names document: model and edit know no DOM"]


def test_a_long_file_is_named_unless_a_program_wrote_it() -> None:
    long = "x = 1\n" * 301
    code = house({"tools/draw/a.py": long, "tools/draw/b.py": f"# Written by c. Do not edit.\n{long}"})
    assert floors.too_long(code) == ["tools/draw/a.py has 301 lines: split the room at 300"]


def test_a_room_without_a_row_and_a_row_without_a_room_are_refused() -> None:
    with pytest.raises(ValueError, match="tools/extra"):
        read_plan(SMALL.replace("tools/draw   ", "tools/draw   tools/extra   "))
    with pytest.raises(ValueError, match="tools/draw"):
        read_plan(SMALL.replace("tools/draw   ", ""))


def test_a_row_that_allows_what_the_picture_forbids_is_named() -> None:
    plan = read_plan(SMALL.replace("| reads | `tools/model` |", "| reads | `tools/draw` `tools/none` |"))
    assert floors.plan_faults(plan) == [
        "the table lets tools/look import tools/draw, which is not below it",
        "the table lets tools/look import tools/none, which is no room",
    ]


def test_a_room_that_is_not_built_is_named(small: Plan, tmp_path: Path) -> None:
    (tmp_path / "broker" / "faces").mkdir(parents=True)
    assert "broker/desk is in the picture but not in the checkout" in floors.unbuilt(small, tmp_path)
    assert len(floors.unbuilt(small, tmp_path)) == len(small.floor) - 1
