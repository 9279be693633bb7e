"""LaTeX of a page's formulas, where it has no other words than the signs that a person sees.

The LaTeX of MathML is an attribute or an annotation, which no browser shows: it could hold any text.
"""

import re
from collections import Counter
from typing import Final

_COMMAND: Final = re.compile(r"\\([A-Za-z]{1,40}+)")
_KNOWN_COMMANDS: Final = frozenset(
    {"alpha", "beta", "gamma", "delta", "epsilon", "varepsilon", "zeta", "eta", "theta", "vartheta", "iota", "kappa"}
    | {"lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "varphi", "chi", "psi", "omega"}
    | {"Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega", "partial", "nabla", "infty"}
    | {"frac", "dfrac", "tfrac", "binom", "sqrt", "sum", "prod", "int", "oint", "lim", "log", "ln", "exp", "sin", "cos"}
    | {
        "tan",
        "max",
        "min",
        "sup",
        "inf",
        "det",
        "left",
        "right",
        "big",
        "Big",
        "bigg",
        "Bigg",
        "cdot",
        "cdots",
        "ldots",
    }
    | {"dots", "times", "div", "pm", "mp", "leq", "le", "geq", "ge", "neq", "ne", "approx", "equiv", "sim", "propto"}
    | {"in", "notin", "subset", "subseteq", "cup", "cap", "forall", "exists", "to", "rightarrow", "leftarrow", "mapsto"}
    | {"Rightarrow", "Leftarrow", "iff", "implies", "land", "lor", "neg", "mid", "vert", "Vert", "langle", "rangle"}
    | {"hat", "bar", "tilde", "vec", "dot", "ddot", "overline", "underline", "mathrm", "mathbf", "mathcal", "mathbb"}
    | {"mathit", "mathsf", "boldsymbol", "text", "textstyle", "displaystyle", "operatorname", "quad", "qquad", "hbar"}
    | {
        "begin",
        "end",
        "matrix",
        "pmatrix",
        "bmatrix",
        "cases",
        "aligned",
        "limits",
        "circ",
        "ast",
        "star",
        "prime",
        "ell",
    }
)
_NAMES_OF_PARTS: Final = re.compile(r"\\(?:begin|end)\{[a-z]{1,12}\*?\}(?:\{[lcr|]{0,20}\})?")


def shown_formula(latex: str, signs: str) -> str:
    """Return a formula's LaTeX between dollar signs, or its signs where the LaTeX has anything else.

    Args:
        latex: what the page gives as the formula's source; empty where it gives none.
        signs: the text of the formula as a person sees it.
    """
    if not latex or not _KNOWN_COMMANDS.issuperset(_COMMAND.findall(latex)):
        return signs
    words = _COMMAND.sub("", _NAMES_OF_PARTS.sub("", latex))
    has_others = Counter(filter(str.isalnum, words)) - Counter(filter(str.isalnum, signs))
    return signs if has_others else f"${' '.join(latex.split())}$"
