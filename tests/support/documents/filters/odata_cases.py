"""Random OData filters as plain trees, their text, and rows that they decide about."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import Any, Final

from groundwire.domain.filters.field_types import FieldType, FieldTypes

Tree = tuple[Any, ...]
"""Name of the production and its parts; the item of a quantifier has the empty name."""
Row = Mapping[str, Any]

_TYPES: Final[Mapping[str, tuple[str, ...]]] = {
    "rating": ("number",),
    "code": ("text", "number", "date"),
    "name": ("text",),
    "parking": ("boolean",),
    "flag": ("boolean", "text"),
    "opened": ("date",),
    "tags": ("texts", "empty"),
    "marks": ("numbers",),
    "words": ("texts",),
    "hollow": ("empty",),
    "mixed": ("text", "number", "texts", "numbers"),
    "_unread": ("any",),
}
TYPES: Final = {field: frozenset(types) for field, types in _TYPES.items()}
"""Types of each field; `any` is that of a field that a definition names and no row has."""
DEFINED: Final = frozenset({"_unread"})
_FIELD_TYPES: Final = {
    "number": FieldType.NUMBER,
    "text": FieldType.TEXT,
    "date": FieldType.DATE,
    "boolean": FieldType.BOOLEAN,
    "texts": FieldType.TEXTS,
    "numbers": FieldType.NUMBERS,
    "empty": FieldType.EMPTY_LIST,
}
KNOWN: Final[FieldTypes] = {
    field: frozenset(_FIELD_TYPES[each] for each in types) for field, types in _TYPES.items() if field not in DEFINED
}
_TEXTS: Final = ("", "a", "ab", "B", "b", "105", "it's", "sea view", "x,y", "é", "true", "2015-13-01")
_DATES: Final = ("2015-01-01", "2014-12-31", "2015-01-02", "0001-01-01", "9999-12-31")
_NUMBERS: Final = (-3.0, -0.5, 0.0, 1.0, 2.0, 3.5, 9.0, 2.0**53, -1e300)
_VALUES: Final[Mapping[str, tuple[Any, ...]]] = {"text": _TEXTS, "date": _DATES, "number": _NUMBERS}
_ITEMS: Final[Mapping[str, tuple[Any, ...]]] = {"texts": (*_TEXTS, *_DATES), "numbers": _NUMBERS}
_INTEGERS: Final = (0, 1, 2, 9, -3, 105, 2**53, 2**53 + 1, 2**63 - 1, -(2**63))
_NO_NUMBERS: Final = (math.inf, -math.inf, math.nan)
_ZONES: Final = (0, 0, 0, 60, -480, 330)
_ORDERS: Final = ("lt", "le", "gt", "ge")
_MIRRORED: Final = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def any_row(random: Random) -> Row:
    fields = [field for field in TYPES if field not in DEFINED and random.random() < 0.7]
    return {field: _value(random, random.choice(_TYPES[field])) for field in fields}


def any_filter(random: Random, depth: int = 3, wild: float = 0.0) -> Tree:
    """Return a filter; of its literals and conditions so many in one have a type or a form that may not fit."""
    match random.randrange(9 if depth else 5):
        case 5:
            return "not", any_filter(random, depth - 1, wild)
        case 6 | 7 | 8:
            parts = [any_filter(random, depth - 1, wild) for _ in range(random.randrange(2, 4))]
            return random.choice(("and", "or")), *parts
        case _:
            return _leaf(random, wild)


def _value(random: Random, kind: str) -> Any:
    if kind == "boolean":
        return random.random() < 0.5
    if kind in _ITEMS:
        return random.choices(_ITEMS[kind], k=random.randrange(1, 4))
    return random.choice(_VALUES[kind]) if kind in _VALUES else []


def _literal(random: Random, kind: str) -> Any:
    match kind:
        case "number":
            return random.choice((*_NUMBERS, *_INTEGERS, *_NO_NUMBERS))
        case "text":
            return random.choice((*_TEXTS, *_DATES)) if random.random() < 0.2 else random.choice(_TEXTS)
        case "date":
            day = datetime.fromisoformat(random.choice(_DATES[:3])).replace(tzinfo=UTC)
            delayed = timedelta(seconds=random.choice((0, 0, 0, 1, 43_200)), microseconds=random.choice((0, 0, 0, 1)))
            return day + delayed
        case "boolean":
            return random.random() < 0.5
        case _:
            return None


def _leaf(random: Random, wild: float) -> Tree:
    field = random.choice(list(TYPES))
    kinds = _TYPES[field]
    if random.random() < wild:
        kinds = ("text", "number", "date", "boolean", "texts", "numbers", "null")
    kind = random.choice(("text", "number", "date", "boolean", "texts", "numbers") if kinds == ("any",) else kinds)
    match kind:
        case "texts" | "numbers" | "empty":
            return _quantified(random, field, kind, wild)
        case "boolean" if random.random() < 0.4:
            return "alone", field
        case "text" if random.random() < 0.3:
            return _membership(random, field)
        case _ if random.random() < 0.05:
            return "constant", random.random() < 0.5
        case _:
            return _comparison(random, field, kind, wild)


def _comparison(random: Random, field: str, kind: str, wild: float) -> Tree:
    value = None if random.random() < 0.1 and field else _literal(random, kind)
    is_ordered = isinstance(value, int | float | datetime) and not isinstance(value, bool)
    has_order = is_ordered or random.random() < wild
    return "compare", field, random.choice(("eq", "ne", *_ORDERS) if has_order else ("eq", "ne")), value


def _membership(random: Random, field: str) -> Tree:
    texts = [text for text in random.choices((*_TEXTS, *_DATES[:1]), k=random.randrange(1, 4)) if text]
    return "in", field, texts, random.choice("|;#")


def _quantified(random: Random, field: str, kind: str, wild: float) -> Tree:
    if random.random() < 0.15:
        return "filled", field
    name = random.choice(("any", "all"))
    item = random.choice(("number",) if kind == "numbers" else ("text", "text", "date"))
    outer, inner, equal = ("or", "and", "eq") if name == "any" else ("and", "or", "ne")
    if random.random() < wild:
        return name, field, _free_condition(random, item, wild)
    if item == "text":
        parts = [_item_equality(random, equal) for _ in range(random.randrange(1, 3))]
    else:
        parts = [_ordered_parts(random, item, inner, equal) for _ in range(random.randrange(1, 3))]
    return name, field, parts[0] if len(parts) == 1 else (outer, *parts)


def _item_equality(random: Random, operator: str) -> Tree:
    if random.random() < 0.4:
        found = _membership(random, "")
        return found if operator == "eq" else ("not", found)
    other = {"eq": "ne", "ne": "eq"}[operator]
    if random.random() < 0.3:
        return "not", ("compare", "", other, _literal(random, "text"))
    return "compare", "", operator, _literal(random, "text")


def _ordered_parts(random: Random, item: str, joined: str, equal: str) -> Tree:
    if random.random() < 0.4:
        return "compare", "", random.choice(("eq", "ne", *_ORDERS)), _literal(random, item)
    parts = [
        ("compare", "", random.choice((*_ORDERS, equal)), _literal(random, item)) for _ in range(random.randrange(2, 4))
    ]
    return joined, *parts


def _free_condition(random: Random, item: str, wild: float, depth: int = 2) -> Tree:
    match random.randrange(7 if depth else 4):
        case 4:
            return "not", _free_condition(random, item, wild, depth - 1)
        case 5 | 6:
            return random.choice(("and", "or")), *(_free_condition(random, item, wild, depth - 1) for _ in range(2))
        case 0 if random.random() < wild:
            return random.choice((("alone", ""), ("constant", True), ("alone", "parking"), ("filled", "tags")))
        case 1 if item == "text":
            return _membership(random, "")
        case _:
            kind = random.choice(("text", "number", "boolean", "null")) if random.random() < wild / 4 else item
            return _comparison(random, "", kind, wild)


def text_of(tree: Tree, random: Random, item: str = "x") -> str:
    """Return one of the texts of the tree: sides, spellings of literals and unneeded parentheses vary."""
    match tree:
        case (("and" | "or" as word), *parts):
            return f"{_space(random)}{word} ".join(_enclosed(part, random, item) for part in parts)
        case "not", part:
            text = text_of(part, random, item)
            is_closed = part[0] in ("alone", "any", "all", "filled", "not", "constant")
            is_call = part[0] == "in" and text.endswith(")") and text.startswith("search.in")
            return f"not {text}" if (is_closed or is_call) and random.random() < 0.5 else f"not ({text})"
        case _:
            text = _leaf_text(tree, random, item)
            return f"({text})" if random.random() < 0.1 else text


def _enclosed(part: Tree, random: Random, item: str) -> str:
    text = text_of(part, random, item)
    return f"({text})" if part[0] in ("and", "or") else text


def _leaf_text(leaf: Tree, random: Random, item: str) -> str:
    field = item if leaf[1] == "" else leaf[1]
    match leaf:
        case (("any" | "all" as name), _, condition):
            variable = random.choice(("t", "item", "x1"))
            return f"{field}/{name}({variable}:{_space(random)}{text_of(condition, random, variable)})"
        case "in", _, texts, mark:
            return _membership_text(field, texts, mark, random)
        case "compare", _, operator, value:
            return _comparison_text(field, operator, literal_text(value, random), random)
        case _:
            return {"constant": str(field).lower(), "alone": field, "filled": f"{field}/any()"}[leaf[0]]


def _comparison_text(field: str, operator: str, literal: str, random: Random) -> str:
    if random.random() < 0.3:
        return f"{literal} {_MIRRORED.get(operator, operator)}{_space(random)}{field}"
    return f"{field}{_space(random)}{operator} {literal}"


def _membership_text(field: str, texts: list[str], mark: str, random: Random) -> str:
    if random.random() < 0.5 and not any(each in text for text in texts for each in ", "):
        call = f"search.in({field}, {_quoted(random.choice((',', ', ', ' ')).join(texts))})"
    else:
        other = random.choice((mark, f"{mark}!", f"{mark}]^"))
        call = f"search.in( {field} ,{_quoted((mark * random.randrange(1, 3)).join(texts))}, '{other}' )"
    return random.choice((call, call, call, f"{call} eq true", f"false ne {call}"))


def literal_text(value: Any, random: Random) -> str:
    match value:
        case None | bool():
            return "null" if value is None else str(value).lower()
        case str():
            return _quoted(value)
        case datetime():
            return _moment_text(value, random)
        case int():
            return str(value)
        case _ if not math.isfinite(value):
            return str(value).replace("nan", "NaN").replace("inf", "INF")
        case _:
            return random.choice((repr(value), f"{value:.17e}", f"{value:.17E}".replace("E+", "E")))


def _moment_text(moment: datetime, random: Random) -> str:
    moment = moment.astimezone(timezone(timedelta(minutes=random.choice(_ZONES))))
    is_day = moment.time() == datetime.min.time()
    if is_day and moment.utcoffset() == timedelta() and random.random() < 0.3:
        return moment.date().isoformat()
    form = "%Y-%m-%dT%H:%M:%S"
    if moment.microsecond:
        form += ".%f" + "0" * random.randrange(3)
    elif not moment.second and random.random() < 0.3:
        form = "%Y-%m-%dT%H:%M"
    elif random.random() < 0.2:
        form += ".000"
    zone = moment.strftime("%z")
    written = "Z" if moment.utcoffset() == timedelta() and random.random() < 0.7 else f"{zone[:3]}:{zone[3:]}"
    return moment.strftime(form) + written


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _space(random: Random) -> str:
    return random.choice((" ", " ", "  ", "\n", "\t"))


TOKENS: Final = (
    *("rating", "name", "tags", "nope", "eq", "ne", "gt", "and", "or", "not", "AND", "Eq", "in", "add", "has", "null"),
    *("true", "False", "NaN", "-INF", "1", "-1", "1.5", "1.", "0x1F", "1e3", "5L", "'x'", "''", '"x"', "'", '"'),
    *("2015-01-01", "2015-01-01T00:00Z", "2015-01-01T", "datetime'2015-01-01'", "search.in(", "name,", "startswith("),
    *("/any(", "/all(", "/any()", "t:", "t", ":", "/", "(", ")", ",", "=", "==", "!=", "<", ">=", "&&", "||", "!"),
    *("+", "-", "*", "$it", "@p", "[", "]", "{", "}", ".", "geo.distance(", "\n", "\\", "é", "\0"),
)
"""Tokens of OData, of other languages, and of none."""
