"""What the words of TeX mean in Unicode."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping


def listed(words: str) -> tuple[str, ...]:
    """Words with blanks between them."""
    return tuple(words.split())


_GREEK = listed(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lamda mu nu xi omicron pi rho sigma tau "
    "upsilon phi chi psi omega"
)

_OTHERS = listed(r"""
times × div ÷ cdot · pm ± mp ∓ ast ∗ star ⋆
circ ∘ bullet • oplus ⊕ ominus ⊖ otimes ⊗ odot ⊙ setminus ∖ wr ≀
le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ ll ≪ gg ≫ equiv ≡ approx ≈ sim ∼ simeq ≃ cong ≅ propto ∝ prec ≺ succ ≻
doteq ≐ in ∈ notin ∉ ni ∋ subset ⊂ supset ⊃
subseteq ⊆ supseteq ⊇ cup ∪ cap ∩ emptyset ∅ varnothing ∅ uplus
⊎ sqcup ⊔ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ land
∧ wedge ∧ lor ∨ vee ∨ top ⊤ bot ⊥ vdash ⊢ models ⊨
therefore ∴ to → rightarrow → leftarrow ←
gets ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔
implies ⟹ iff ⟺ mapsto ↦ uparrow ↑ downarrow ↓ longrightarrow ⟶ longleftarrow ⟵ hookrightarrow ↪
rightharpoonup ⇀ nearrow ↗ infty ∞ partial ∂ nabla ∇ hbar ℏ
ell ℓ Re ℜ Im ℑ aleph ℵ wp ℘ angle ∠ triangle △
square □ diamond ⋄ degree ° sum ∑ prod ∏ coprod ∐
int ∫ iint ∬ iiint ∭ oint ∮ bigcup ⋃ bigcap ⋂ bigoplus ⨁
bigotimes ⨂ bigvee ⋁ bigwedge ⋀ ldots … cdots ⋯ vdots ⋮
ddots ⋱ dots … prime ′ dagger † ddagger ‡ parallel ∥
perp ⊥ mid ∣ nmid ∤ colon : surd √ langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ lbrace { rbrace }
lvert | rvert | vert | Vert ‖ lVert ‖ rVert ‖ lbrack [ rbrack ] backslash \ copyright © pounds £ S § P ¶
checkmark ✓ because ∵ trianglelefteq ⊴ bowtie ⋈ varepsilon ε
varphi φ vartheta ϑ varrho ϱ varsigma ς varpi ϖ
lambda λ Lambda Λ imath ı jmath ȷ
""")

FUNCTIONS = frozenset(
    listed(
        "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup "
        "ln log max min Pr sec sin sinh sup tan tanh"
    )
)
"""Names that are set upright as they are written."""


def _greek() -> Mapping[str, str]:
    found = {}
    for name in _GREEK:
        found[name] = unicodedata.lookup(f"GREEK SMALL LETTER {name}")
        found[name.capitalize()] = unicodedata.lookup(f"GREEK CAPITAL LETTER {name}")
    return found


SYMBOLS: Mapping[str, str] = {**_greek(), **dict(zip(_OTHERS[::2], _OTHERS[1::2], strict=True))}

TALL = frozenset("∑∏∐⋃⋂⨁⨂⋁⋀")
"""Operators with their limits above and below when they stand in a line of their own."""
LIMITED = frozenset(("lim", "max", "min", "sup", "inf", "limsup", "liminf", "det", "gcd", "Pr"))

SPACED = frozenset("=<>≤≥≠≈≡∼≃≅∝→←↔⇒⇐⇔⟹⟺↦∈∉∋⊂⊃⊆⊇≪≫∣⊢⊨:≺≻≐⟶⟵")
BINARY = frozenset("+-−±∓×÷·∗⋆∘⊕⊖⊗⊙∪∩∧∨∖")
"""Signs with a space on both sides: relations always, operations between two things."""

ACCENTS: Mapping[str, str] = {
    "hat": "\u0302",
    "widehat": "\u0302",
    "bar": "\u0304",
    "overline": "\u0305",
    "tilde": "\u0303",
    "widetilde": "\u0303",
    "vec": "\u20d7",
    "dot": "\u0307",
    "ddot": "\u0308",
    "check": "\u030c",
    "breve": "\u0306",
    "acute": "\u0301",
    "grave": "\u0300",
    "underline": "\u0332",
}

_ALPHABETS = {
    "mathbb": ("MATHEMATICAL DOUBLE-STRUCK", "DOUBLE-STRUCK"),
    "mathcal": ("MATHEMATICAL SCRIPT", "SCRIPT"),
    "mathscr": ("MATHEMATICAL SCRIPT", "SCRIPT"),
    "mathfrak": ("MATHEMATICAL FRAKTUR", "BLACK-LETTER"),
    "mathbf": ("MATHEMATICAL BOLD", ""),
    "boldsymbol": ("MATHEMATICAL BOLD", ""),
    "mathit": ("MATHEMATICAL ITALIC", ""),
}
ALPHABETS = frozenset(_ALPHABETS)
PLAIN_WORDS = frozenset(
    ("text", "textbf", "textit", "textrm", "mathrm", "operatorname", "mbox", "mathsf", "mathtt", "mathop")
)
SPACES: Mapping[str, int] = {
    ",": 1,
    ":": 1,
    ";": 1,
    " ": 1,
    "quad": 2,
    "qquad": 4,
    "!": 0,
    ">": 1,
    "enspace": 1,
    "thinspace": 1,
}

_RAISED = dict(
    zip(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyz′*",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ′*",
        strict=True,
    )
) | {"T": "ᵀ", "N": "ᴺ", "α": "ᵅ", "β": "ᵝ"}
_LOWERED = dict(
    zip("0123456789+-−=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ", strict=True)
)


def alphabet(name: str, text: str) -> str:
    """Letters of another alphabet (`mathbb{R}` is ℝ); those it does not have stay as they are."""
    return "".join(_letter(_ALPHABETS[name], char) for char in text)


def _letter(alphabets: tuple[str, str], char: str) -> str:
    if not (char.isascii() and char.isalnum()):
        return char
    kind = "DIGIT" if char.isdigit() else "CAPITAL" if char.isupper() else "SMALL"
    name = unicodedata.name(char).split()[-1]
    for prefix in filter(None, alphabets):
        try:
            return unicodedata.lookup(f"{prefix} {kind} {name}")
        except KeyError:
            continue
    return char


def shifted(text: str, *, up: bool) -> str | None:
    """The text in raised or lowered characters; None if one of them has no such form."""
    table = _RAISED if up else _LOWERED
    found = [table.get(char) for char in text.replace(" ", "")]
    return None if None in found or not found else "".join(filter(None, found))
