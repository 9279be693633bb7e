# ruff: noqa: RUF001 - these characters are meant
"""LaTeX commands of mathematical characters, accents, delimiters and functions."""

import unicodedata
from typing import Final

_COMMANDS: Final = r"""
α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu ν nu
ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta
Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega × times ÷ div ± pm ∓ mp ⋅ cdot · cdot ∗ ast ⋆ star
∘ circ ∙ bullet ⊕ oplus ⊖ ominus ⊗ otimes ⊘ oslash ⊙ odot ≤ leq ≥ geq ≪ ll ≫ gg ≠ neq ≈ approx ≡ equiv ≢ not\equiv
≅ cong ≃ simeq ∼ sim ∝ propto ≺ prec ≻ succ ⊢ vdash ⊨ models ⊥ perp ∥ parallel ∣ mid ∞ infty ∂ partial ∇ nabla
∀ forall ∃ exists ∄ nexists ∈ in ∉ notin ∋ ni ∅ emptyset ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ⊄ not\subset
∪ cup ∩ cap ∖ setminus ∧ wedge ∨ vee ¬ neg ∴ therefore ∵ because ⊤ top → to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow
⇐ Leftarrow ⇔ Leftrightarrow ↑ uparrow ↓ downarrow ↦ mapsto ⟶ longrightarrow ⟵ longleftarrow ⟹ Longrightarrow
⇌ rightleftharpoons … ldots ⋯ cdots ⋮ vdots ⋱ ddots ′ prime ∠ angle △ triangle □ square √ surd ℏ hbar ℓ ell ℜ Re
ℑ Im ℵ aleph ∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ∯ oiint ∰ oiiint ⋀ bigwedge ⋁ bigvee ⋂ bigcap
⋃ bigcup ⨁ bigoplus ⨂ bigotimes ⨀ bigodot ⨄ biguplus ⨆ bigsqcup ‖ | ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ⟨ langle
⟩ rangle 〈 langle 〉 rangle † dagger ‡ ddagger ° circ ⊔ sqcup ⊓ sqcap ⊎ uplus ≜ triangleq ≔ coloneqq
"""
_WORDS: Final = _COMMANDS.split()
SYMBOLS: Final = dict(zip(_WORDS[::2], ("\\" + name for name in _WORDS[1::2]), strict=True)) | {
    "ℝ": r"\mathbb{R}",
    "ℕ": r"\mathbb{N}",
    "ℤ": r"\mathbb{Z}",
    "ℚ": r"\mathbb{Q}",
    "ℂ": r"\mathbb{C}",
    "\\": r"\backslash",
    "{": r"\{",
    "}": r"\}",
    "#": r"\#",
    "%": r"\%",
    "$": r"\$",
    "&": r"\&",
    "_": r"\_",
    "~": r"\sim",
    "−": "-",
    "\u2061": "",
    "\u2062": "",
    "\u2063": "",
    "\u200b": "",
    "\u00a0": " ",
}
"""LaTeX of a character; others are written as they are."""
ACCENTS: Final = {
    "\u0300": r"\grave",
    "\u0301": r"\acute",
    "\u0302": r"\hat",
    "\u0303": r"\tilde",
    "\u0304": r"\bar",
    "\u0305": r"\overline",
    "\u0306": r"\breve",
    "\u0307": r"\dot",
    "\u0308": r"\ddot",
    "\u030a": r"\mathring",
    "\u030c": r"\check",
    "\u20d6": r"\overleftarrow",
    "\u20d7": r"\vec",
    "\u20db": r"\dddot",
    "\u20e1": r"\overleftrightarrow",
    "\u0331": r"\underline",
    "\u0332": r"\underline",
    "¯": r"\bar",
    "→": r"\vec",
    "^": r"\hat",
    "~": r"\tilde",
}
"""Commands of the characters over or below a base."""
GROUPS: Final = {
    "⏞": r"\overbrace",
    "⏟": r"\underbrace",
    "⎴": r"\overbracket",
    "⎵": r"\underbracket",
    "⏜": r"\overparen",
    "⏝": r"\underparen",
    "→": r"\overrightarrow",
    "←": r"\overleftarrow",
    "↔": r"\overleftrightarrow",
    "¯": r"\overline",
}
"""Commands of the characters that span a group."""
_FUNCTIONS: Final = (
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max "
    "min Pr sec sin sinh sup tan tanh"
)
FUNCTIONS: Final = frozenset(_FUNCTIONS.split())
"""Functions that have a command of their own name."""
ALPHABETS: Final = {"double-struck": r"\mathbb", "script": r"\mathcal", "fraktur": r"\mathfrak"}
"""Commands of the alphabets that a run may be written in."""
_STYLED_LETTERS: Final = range(0x1D400, 0x1D800)


def plain_letters(text: str) -> str:
    """Return the text with letters of the mathematical alphabets replaced by the usual ones."""
    return "".join(
        # Unicode has no italic h among the mathematical letters: the Planck constant is in its place.
        unicodedata.normalize("NFKC", character) if ord(character) in _STYLED_LETTERS or character == "ℎ" else character
        for character in text
    )
