"""Mathematics in cells: two-dimensional in blocks, one row in sentences."""

from __future__ import annotations

import pytest
from drawing import text_of
from hypothesis import given, settings
from hypothesis import strategies as st

from chardesk.tools.model.width import cluster_width
from chardesk.tools.text.markdown.reader import read
from chardesk.tools.text.math import parser
from chardesk.tools.text.math.layout import box
from chardesk.tools.text.math.reader import words
from chardesk.tools.text.undrawn import NotDrawn


def picture(source: str) -> str:
    found = read(f"```math\n{source}\n```", 80)
    assert found.diagnostics == ()
    return text_of(found)


def test_a_fraction_has_a_line() -> None:
    assert (
        picture(r"""x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}""")
        == """
           ┌────────
     −b ± √│b² − 4ac
x = ─────────────────
           2a"""
    )


def test_sums_and_products_have_their_limits_above_and_below() -> None:
    assert (
        picture(r"""\sum_{i=1}^{n} i^2 = \frac{n(n+1)(2n+1)}{6}, \quad \prod_{k} a_k""")
        == """
 n        n(n + 1)(2n + 1)
 ∑  i² = ──────────────────,   ∏ aₖ
i=1              6             k"""
    )


def test_roots_have_a_roof_and_a_degree() -> None:
    assert (
        picture(r"""\sqrt[3]{\frac{x}{y}} + \sqrt{2}""")
        == """
 ┌───
 │ x     ┌─
3│─── + √│2
√│ y"""
    )


def test_matrices_have_tall_brackets() -> None:
    assert (
        picture(
            r"""\begin{pmatrix} a & b \\ c & -d \end{pmatrix} \begin{bmatrix} 1 \\ 2 \\ 3 \end{bmatrix}"""
        )
        == """
⎛a  b ⎞⎡1⎤
⎝c  −d⎠⎢2⎥
       ⎣3⎦"""
    )


def test_cases_have_a_brace() -> None:
    assert (
        picture(r"""f(x) = \begin{cases} x^2 & x \ge 0 \\ 0 & \text{if not} \end{cases}""")
        == """
       ⎰x²  x ≥ 0
f(x) = ⎱0   if not"""
    )


def test_integrals_and_limits() -> None:
    assert (
        picture(r"""\int_0^\infty e^{-x^2} dx, \lim_{x \to 0} \frac{\sin x}{x} = 1""")
        == """
 ∞ −x²         sin x
∫ e   dx, lim ─────── = 1
 0        x→0    x"""
    )


def test_brackets_grow_with_what_they_hold() -> None:
    assert (
        picture(r"""\left( \frac{1}{1+\frac{1}{x}} \right)^2""")
        == """
           2
⎛    1    ⎞
⎜─────────⎟
⎜      1  ⎟
⎜ 1 + ─── ⎟
⎝      x  ⎠"""
    )


def test_equations_line_up() -> None:
    assert (
        picture(r"""a &= b + c \\ &= d""")
        == """
a = b + c
  = d"""
    )


def test_binomials_accents_and_alphabets() -> None:
    assert (
        picture(r"""\binom{n}{k} \in \mathbb{R}, \hat{x}, \vec{v}, \overline{ab}, \alpha_{ij}^{(2)}""")
        == """
⎛n⎞
⎜ ⎟ ∈ ℝ, x̂, v⃗, a̅b̅, αᵢⱼ⁽²⁾
⎝k⎠"""
    )


def test_a_block_between_dollars_is_the_same_picture() -> None:
    assert text_of(read("a\n\n$$\n\\frac{1}{2}\n$$", 40)) == "\na\n\n 1\n───\n 2"


@pytest.mark.parametrize(
    ("source", "row"),
    [
        ("E = mc^2", "E = mc²"),
        (r"\frac{a+b}{2}", "(a + b)/2"),
        (r"x_{ij}^2 \le \sqrt{y}", "xᵢⱼ² ≤ √y"),
        (r"\alpha \to \beta'", "α → β′"),
        ("-x + y", "−x + y"),
        (r"\sum_{i=1}^n i", "∑ᵢ₌₁ⁿi"),
        (r"2\sin x", "2 sin x"),
        (r"\mathbb{R}^n \times \mathcal{L}", "ℝⁿ × ℒ"),
        (r"\sqrt[3]{x+1}", "∛(x + 1)"),
        (r"x^{Q}", "x^Q"),
        (r"\text{if } x", "if x"),
        (r"\left\{ x \right\}", "{x}"),
        (r"\binom{n}{k}", "(n k)"),
        (r"\begin{matrix} a & b \\ c & d \end{matrix}", "a b; c d"),
    ],
)
def test_mathematics_in_a_sentence_is_one_row(source: str, row: str) -> None:
    assert words(source) == row
    assert text_of(read(f"so ${source}$ holds", 80)) == f"\nso {row} holds"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (r"\foo", "\\foo is not known"),
        ("x^", "missing at the end"),
        ("{x", "} is missing"),
        ("x}", "} closes nothing"),
        (r"\left( x", "\\right is missing"),
        (r"\begin{nope} x \end{nope}", "environment nope is not known"),
        ("{" * 60 + "x" + "}" * 60, "nested more than 40 deep"),
        ("x" * 6000, "5000 can be drawn"),
    ],
)
def test_what_cannot_be_drawn_says_why_and_keeps_its_source(source: str, why: str) -> None:
    with pytest.raises(NotDrawn) as reason:
        words(source)
    assert why in str(reason.value)
    found = read(f"```math\n{source}\n```", 80)
    assert text_of(found) == f"\n```math\n{source}\n```"
    assert [each.code for each in found.diagnostics] == ["markdown-math-render-failed"]


PARTS = st.sampled_from(
    [
        *(
            "x",
            "12",
            "世",
            "+",
            "-",
            "=",
            "^",
            "_",
            "{",
            "}",
            "&",
            "\\\\",
            "\\frac",
            "\\sqrt",
            "[",
            "]",
            "'",
            " ",
        ),
        *(
            "\\sum",
            "\\int",
            "\\left(",
            "\\right)",
            "\\begin{matrix}",
            "\\end{matrix}",
            "\\hat",
            "\\text{a b}",
        ),
        *(
            "\\begin{cases}",
            "\\end{cases}",
            "\\lim",
            "\\alpha",
            "\\mathbb{R}",
            "\\binom",
            "\\",
            "%",
            "\\quad",
            "\x1b",
        ),
    ]
)


@settings(max_examples=500, deadline=None)
@given(st.lists(PARTS, max_size=25).map("".join))
def test_nothing_makes_mathematics_fail_and_rows_are_equally_wide(source: str) -> None:
    try:
        found = box(parser.parse(source))
        words(source)
    except NotDrawn:
        return
    widths = {sum(map(cluster_width, row)) for row in found.rows if row.isascii()}
    assert len(widths) <= 1
