"""Text of a page's formulas: their LaTeX source, or their MathML as linear text.

Browsers do not display the LaTeX source of MathML (an attribute or an annotation), so it could contain any text. It is
used only if it has no words besides LaTeX commands and the displayed characters.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final
from xml.etree.ElementTree import Element, SubElement

_OPERATORS: Final[Mapping[str, str]] = {"msup": "^", "msub": "_", "mfrac": "/", "mover": "^", "munder": "_"}
_MAX_DEPTH: Final = 60
"""Depth of elements below which a formula is one row."""
_COMMAND: Final = re.compile(r"\\([A-Za-z]{1,40}+)")
_KNOWN_COMMANDS: Final = frozenset(
    {"alpha", "beta", "gamma", "delta", "epsilon", "varepsilon", "zeta", "eta", "theta", "vartheta", "iota", "kappa"}
    | {"lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "varphi", "chi", "psi", "omega"}
    | {"Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega", "partial", "nabla", "infty"}
    | {"frac", "dfrac", "tfrac", "binom", "sqrt", "sum", "prod", "int", "oint", "lim", "log", "ln", "exp", "sin", "cos"}
    | {
        *("tan", "max", "min", "sup", "inf", "det", "left", "right", "big", "Big", "bigg", "Bigg", "cdot", "cdots"),
        "ldots",
    }
    | {"dots", "times", "div", "pm", "mp", "leq", "le", "geq", "ge", "neq", "ne", "approx", "equiv", "sim", "propto"}
    | {"in", "notin", "subset", "subseteq", "cup", "cap", "forall", "exists", "to", "rightarrow", "leftarrow", "mapsto"}
    | {"Rightarrow", "Leftarrow", "iff", "implies", "land", "lor", "neg", "mid", "vert", "Vert", "langle", "rangle"}
    | {"hat", "bar", "tilde", "vec", "dot", "ddot", "overline", "underline", "mathrm", "mathbf", "mathcal", "mathbb"}
    | {"mathit", "mathsf", "boldsymbol", "text", "textstyle", "displaystyle", "operatorname", "quad", "qquad", "hbar"}
    | {
        *("begin", "end", "matrix", "pmatrix", "bmatrix", "cases", "aligned", "limits", "circ", "ast", "star"),
        *("prime", "ell"),
    }
)
_ENVIRONMENT: Final = re.compile(r"\\(?:begin|end)\{[a-z]{1,12}\*?\}(?:\{[lcr|]{0,20}\})?")


class OpenFormula:
    """A formula whose end tag has not been read.

    Attributes:
        latex: LaTeX source on the page; empty without one.
    """

    def __init__(self, latex: str) -> None:
        self.latex = latex
        self._root = Element("math")
        self._opened = [self._root]
        self._displayed: list[str] = []

    def start(self, tag: str) -> None:
        """Open an element of MathML."""
        if len(self._opened) < _MAX_DEPTH:
            self._opened.append(SubElement(self._opened[-1], tag))

    def end(self, tag: str) -> None:
        """Close the innermost open element of this name."""
        if self._opened[-1].tag == tag and len(self._opened) > 1:
            self._opened.pop()

    def append(self, text: str) -> None:
        """Add displayed characters."""
        self._displayed.append(text)
        self._opened[-1].text = f"{self._opened[-1].text or ''}{text.strip()}"

    def shown(self) -> str:
        """Return the LaTeX between dollar signs, or linear text if the LaTeX contains other text than is displayed."""
        if not self.latex or not _KNOWN_COMMANDS.issuperset(_COMMAND.findall(self.latex)):
            return linear_text(self._root)
        words = _COMMAND.sub("", _ENVIRONMENT.sub("", self.latex))
        displayed = "".join(self._displayed)
        extra_characters = Counter(filter(str.isalnum, words)) - Counter(filter(str.isalnum, displayed))
        return linear_text(self._root) if extra_characters else f"${' '.join(self.latex.split())}$"


def linear_text(element: Element) -> str:
    """Return MathML as linear text: superscripts with `^`, subscripts with `_`, fractions with `/`."""
    name = _name(element)
    texts = [linear_text(child) for child in element] if not name.startswith("annotation") else []
    if name in _OPERATORS and len(texts) == 2:  # noqa: PLR2004
        return _OPERATORS[name].join(map(_grouped, texts))
    if name in ("msubsup", "munderover") and len(texts) == 3:  # noqa: PLR2004
        return f"{_grouped(texts[0])}_{_grouped(texts[1])}^{_grouped(texts[2])}"
    if name in _LISTED:
        before, between, after = _LISTED[name]
        return f"{element.get('open') or before}{between.join(texts)}{element.get('close') or after}"
    own = (element.text or "").strip()
    if name == "mo" and own in _SPACED_OPERATORS:
        return f" {own} "
    # A whole number and a fraction beside it are two numbers: 2 1/2.
    return _ADJACENT_NUMBERS.sub(" ", "\0".join([own, *texts])).replace("\0", "")


_LISTED: Final = {
    "msqrt": ("sqrt(", "", ")"),
    "mroot": ("root(", ", ", ")"),
    "mfenced": ("(", ", ", ")"),
    "mtable": ("", "; ", ""),
    "mtr": ("", ", ", ""),
}
_ADJACENT_NUMBERS: Final = re.compile("(?<=[0-9])\0(?=[0-9])")
_SPACED_OPERATORS: Final = frozenset("=<>≤≥≈+-±∈→\u2212\u223c\u00d7")


def _grouped(text: str) -> str:
    inside = text.strip()
    return inside if len(inside) < 2 or inside.isalnum() else f"({inside})"  # noqa: PLR2004


def _name(element: Element) -> str:
    return element.tag.rpartition(" ")[2].lower()
