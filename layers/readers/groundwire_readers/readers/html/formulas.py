"""Choice between the LaTeX source and the displayed characters of a page's formulas.

Browsers do not display the LaTeX source of MathML (an attribute or an annotation), so it could contain any text. It is
used only if it has no words besides LaTeX commands and the displayed characters.
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
_ENVIRONMENT: Final = re.compile(r"\\(?:begin|end)\{[a-z]{1,12}\*?\}(?:\{[lcr|]{0,20}\})?")


def shown_formula(latex: str, displayed: str) -> str:
    """Return the LaTeX between dollar signs, or the displayed characters if the LaTeX contains other text.

    Args:
        latex: LaTeX source on the page; empty without one.
        displayed: displayed characters of the formula.
    """
    if not latex or not _KNOWN_COMMANDS.issuperset(_COMMAND.findall(latex)):
        return displayed
    words = _COMMAND.sub("", _ENVIRONMENT.sub("", latex))
    extra_characters = Counter(filter(str.isalnum, words)) - Counter(filter(str.isalnum, displayed))
    return displayed if extra_characters else f"${' '.join(latex.split())}$"
