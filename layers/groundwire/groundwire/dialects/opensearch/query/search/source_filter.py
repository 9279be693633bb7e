"""Member `_source` of a body: which fields of a passage an answer shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from groundwire.dialects.opensearch.errors import illegal_argument
from groundwire.dialects.opensearch.query.clauses import unknown_member
from groundwire.dialects.opensearch.query.name_patterns import check_pattern, is_match
from groundwire.domain.text.json_values import is_mapping, is_text_list, list_or_single

_MAX_PATTERNS = 50


@dataclass(frozen=True, slots=True)
class SourceFilter:
    """Choice of fields by name or pattern.

    Attributes:
        is_shown: answers have `_source`.
        includes: patterns of fields, or of objects with all their fields; none: all.
        excludes: patterns of fields that are left out.
    """

    is_shown: bool = True
    includes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    _decided: dict[str, bool] = field(default_factory=dict[str, bool], compare=False, repr=False)

    def apply(self, source: Mapping[str, Any]) -> dict[str, Any]:
        """Return the chosen fields of a source."""
        return self._chosen(source, "")

    def _chosen(self, source: Mapping[str, Any], prefix: str) -> dict[str, Any]:
        chosen: dict[str, Any] = {}
        for name, value in source.items():
            path = prefix + name
            if isinstance(value, dict):
                if inner := self._chosen(cast("Mapping[str, Any]", value), path + "."):
                    chosen[name] = inner
            elif self.chooses(path):
                chosen[name] = value
        return chosen

    def chooses(self, path: str) -> bool:
        """Return whether a field is shown; the fields of a thousand hits are few, so each is decided once."""
        if path not in self._decided:
            is_included = not self.includes or _names(self.includes, path)
            self._decided[path] = is_included and not _names(self.excludes, path)
        return self._decided[path]


def parse_source(given: object) -> SourceFilter:
    """Return the choice: true, false, a pattern, several, or an object with `includes` and `excludes`.

    Raises:
        OpenSearchError: it has another form.
    """
    if isinstance(given, bool):
        return SourceFilter(is_shown=given)
    if not is_mapping(given):
        return SourceFilter(includes=_patterns(given))
    for name in given:
        if name not in ("includes", "include", "excludes", "exclude"):
            raise unknown_member("_source", name)
    includes = given.get("includes", given.get("include", []))
    excludes = given.get("excludes", given.get("exclude", []))
    return SourceFilter(includes=_patterns(includes), excludes=_patterns(excludes))


def _patterns(given: object) -> tuple[str, ...]:
    patterns = list_or_single(given)
    if not is_text_list(patterns) or len(patterns) > _MAX_PATTERNS:
        raise illegal_argument(f"[_source] takes true, false, and at most {_MAX_PATTERNS} names of fields")
    return tuple(map(check_pattern, patterns))


def _names(patterns: Sequence[str], path: str) -> bool:
    """Return whether a pattern names the field or an object that it is in."""
    parts = path.split(".")
    paths = [".".join(parts[:count]) for count in range(1, len(parts) + 1)]
    return any(is_match(pattern, each) for pattern in patterns for each in paths)
