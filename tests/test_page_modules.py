"""A page's document names every module that the page will need, and no other."""

from __future__ import annotations

import pytest

from chardesk.broker.faces.http import asset
from chardesk.broker.faces.modules import needed, preloads

FILES = {
    "main.js": b'import { a } from "./rooms/a.js";\nimport "./rooms/b.js";\n// import "./not.js";\n',
    "rooms/a.js": b'import {\n  b,\n  c,\n} from "./b.js";\nexport { d } from "../lib/d.js";\n',
    "rooms/b.js": b'import { a } from "./a.js";\nconst text = `import "./no.js";`;\n',
    "lib/d.js": b'/** @import { Away } from "./away.js" */\nexport const d = 1;\n',
}


def test_modules_are_found_through_others_each_once_nearest_first() -> None:
    assert needed("main.js", FILES.get) == ("main.js", "rooms/a.js", "rooms/b.js", "lib/d.js")


def test_the_links_carry_the_build() -> None:
    links = preloads("lib/d.js", "b1", FILES.get)
    assert links == b'<link rel="modulepreload" href="/page/b1/lib/d.js" />'


@pytest.mark.parametrize("entry", ["main.js", "desk.js"])
def test_every_module_that_a_page_imports_is_there(entry: str) -> None:
    found = needed(entry, asset)
    assert len(found) > 10
    assert [name for name in found if asset(name) is None] == []
