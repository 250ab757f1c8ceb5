"""The pages of the docs: their links lead somewhere, decisions are short and say what they cost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).strip().replace(" ", "-") for each in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_to_a_file_and_a_heading_of_the_checkout(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name(page)} links to {link}, which is not there"
        assert not anchor or anchor in anchors(target), f"{name(page)} links to {link}: no such heading"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_code_fences_are_closed(page: Path) -> None:
    assert page.read_text(encoding="utf-8").count("\n```") % 2 == 0


def test_decisions_are_numbered_without_gaps() -> None:
    assert DECISIONS
    assert [int(each.name[:3]) for each in DECISIONS] == list(range(1, len(DECISIONS) + 1))


@pytest.mark.parametrize("page", DECISIONS, ids=name)
def test_a_decision_says_what_it_decided_instead_of_what_and_at_which_cost(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# {int(page.name[:3])}. ")
    assert "**Decision" in text and "**Costs" in text
    assert len(text.splitlines()) <= 25, "a decision is a page's third, not an essay"


def test_every_word_of_the_glossary_is_explained_once() -> None:
    rows = re.findall(
        r"^\| ([^|]+) \|", (ROOT / "docs" / "words.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(rows) > 20
    assert len(rows) == len(set(rows))
