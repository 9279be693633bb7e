"""Matching of complex CSS selectors (compound selectors with combinators) against elements."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from groundwire_readers.readers.html.css.appearance import Declarations, declare, unescaped
from groundwire_readers.readers.html.element_kinds import LAYOUT_PREFIX

Features = frozenset[str]
"""Simple selectors that an element matches: "p", ".class", "#id", "[name]" and "[name=value]"."""

_ESCAPE: Final = r"\\(?:[0-9a-fA-F]{1,6}\s?|[^\n])"
_NAME: Final = rf"-{{0,2}}(?:[^\W\d]|{_ESCAPE})(?:[\w-]|{_ESCAPE})*+"
_SIMPLE_SELECTOR: Final = re.compile(
    rf"(?P<name>[.#]?{_NAME})|(?P<any>[*&])|:root\b|:(?:is|where)\((?P<within>[.#]?{_NAME})\)"
    rf"|\[\s*(?P<attribute>[\w-]{{1,80}})\s*(?:(?P<sign>~?=)\s*[\"']?(?P<value>[^\"'\[\]]{{0,80}}?)[\"']?\s*)?\]"
)
_COMBINATOR: Final = re.compile(r"\s*(>)\s*|\s+")
_MAX_CHARACTERS: Final = 400
_MAX_STEPS: Final = 3_000_000
# Selectors 4, specificity: an id outweighs all classes and attributes, one of these outweighs all type names.
_SPECIFICITIES: Final = {"#": 10_000, ".": 100, "[": 100}


@dataclass(frozen=True, slots=True)
class _ComplexRule:
    """A complex selector with its declarations.

    Attributes:
        parts: required features of each compound selector, the subject last; each with whether a child combinator
            (`>`) precedes it.
        rank: specificity, then position in the style sheets.
    """

    parts: Sequence[tuple[Features, bool]]
    declarations: Declarations
    rank: tuple[int, int]


@dataclass(slots=True)
class ComplexRules:
    """Rules with complex selectors, indexed by one feature of their subject."""

    _rules: dict[str, list[_ComplexRule]] = field(default_factory=dict[str, list[_ComplexRule]])
    _merged: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    _steps: int = 0
    _count: int = 0

    def add(self, selector: str, declarations: Declarations) -> None:
        """Add a rule; selectors with siblings, positions or states are ignored."""
        parts = list(_parts(selector))
        if not declarations or not parts or not all(feature for feature, _ in parts):
            return
        self._count += 1
        specificity = sum(
            _SPECIFICITIES.get(feature[0], feature != "*") for features, _ in parts for feature in features
        )
        # The most specific feature is usually the rarest, so few elements must check the rule.
        key = max(parts[-1][0], key=lambda feature: (_SPECIFICITIES.get(feature[0], feature != "*"), feature))
        declare(self._merged.setdefault(key, {}), declarations)
        self._rules.setdefault(key, []).append(_ComplexRule(parts, declarations, (specificity, self._count)))

    def style_of(self, own: Features, ancestors: Sequence[Features]) -> Declarations:
        """Return the declarations of the rules that match an element; higher specificity wins.

        Beyond a limit of steps, all rules of a feature apply to each element that has it, so that a hostile page cannot
        disable rules by exhausting the limit.
        """
        if not self._rules:
            return {}
        style: dict[str, str] = {}
        if self._steps + sum(len(self._rules.get(each, ())) for each in own) > _MAX_STEPS:
            for each in own:
                declare(style, self._merged.get(each, {}))
            return style
        candidates = [rule for each in own for rule in self._rules.get(each, ())]
        for rule in sorted(
            filter(lambda rule: self._matches(rule, own, ancestors), candidates), key=lambda rule: rule.rank
        ):
            important = [name for name in style if name + "!" in style and name + "!" not in rule.declarations]
            style |= {name: value for name, value in rule.declarations.items() if name not in important}
        return style

    def _matches(self, rule: _ComplexRule, own: Features, ancestors: Sequence[Features]) -> bool:
        self._steps += 1
        subject, is_child = rule.parts[-1]
        if not subject <= own:
            return False
        index = len(ancestors)
        for required, is_next_child in reversed(rule.parts[:-1]):
            index -= 1
            while index >= 0 and not required <= ancestors[index] and not is_child and self._steps < _MAX_STEPS:
                index -= 1
                self._steps += 1
            if self._steps >= _MAX_STEPS:
                return True
            if index < 0 or not required <= ancestors[index]:
                return False
            is_child = is_next_child
        return True


def features_of(tag: str, attributes: Mapping[str, str | None]) -> Features:
    """Return the simple selectors that an element matches."""
    classes = (attributes.get("class") or "").split()
    features = {
        tag.removeprefix(LAYOUT_PREFIX),
        "*",
        *(f".{name}" for name in classes),
        *(f"[{name}]" for name in attributes),
    }
    if identity := attributes.get("id"):
        features.add(f"#{identity}")
    return frozenset(
        features | {f"[{name}={value}]" for name, value in attributes.items() if value and len(value) < 80}  # noqa: PLR2004 - as in `_SIMPLE_SELECTOR`
    )


def _parts(selector: str) -> Iterator[tuple[Features, bool]]:
    """Yield the compound selectors, each with whether `>` precedes it; empty features if not supported."""
    text = selector.strip()
    if len(text) > _MAX_CHARACTERS:
        yield frozenset(), False
        return
    position, is_child = 0, False
    while position < len(text):
        features: set[str] = set()
        while (match := _SIMPLE_SELECTOR.match(text, position)) is not None:
            features.add(_feature(match))
            position = match.end()
        combinator = _COMBINATOR.match(text, position)
        is_supported = bool(features) and (combinator is not None or position == len(text))
        yield frozenset(features) if is_supported else frozenset(), is_child
        if not is_supported or combinator is None:
            return
        position, is_child = combinator.end(), combinator[1] is not None


def _feature(match: re.Match[str]) -> str:
    if attribute := match["attribute"]:
        if match["sign"] == "~=" and attribute.lower() == "class":
            return f".{match['value']}"
        return f"[{attribute.lower()}={match['value']}]" if match["value"] else f"[{attribute.lower()}]"
    if name := match["name"] or match["within"]:
        return unescaped(name) if name[0] in ".#" else unescaped(name).lower()
    return "*" if match["any"] else "html"
