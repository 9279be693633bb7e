"""Random Milvus expressions as plain trees, their text, and rows that they decide about."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

Tree = tuple[Any, ...]
"""Name of the production and its parts; a path is a tuple of keys and positions."""
Row = Mapping[str, Any]

_FIELDS: Final = ("year", "tags", "x-y", "team", "threshold")
_TEXTS: Final = ("", "a", "ab", "abc", "b", "2024", "2024-05-31", "50%", "a_b", "c\\d", "é", "it's", 'say "x"', "A")
_NUMBERS: Final = (-3.0, -0.5, 0.0, 0.1, 1.0, 2.0, 3.5, 9.0, 2.0**53, -1e300)
_LITERALS: Final = (*_TEXTS, *_NUMBERS, True, False, 0, 1, 2, 9, -3, 2**53, 2**53 + 1, 2**62)
_ADDENDS: Final = (-3, -0.5, 0, 0.1, 1, 2, 3.5, 2**53, 1e300, 1e-300)
_PATTERNS: Final = ("", "%", "a%", "%b", "%b%", "a_", "_", "__", "a%c", "%\\%", "a\\_b", "c\\\\d", "%%", "2024-%", "é")
_ORDERS: Final = ("<", "<=", ">", ">=")
_COMPARISONS: Final = ("==", "!=", *_ORDERS)


def any_row(random: Random) -> Row:
    names = random.sample(_FIELDS, random.randrange(len(_FIELDS) + 1))
    return {name: _value(random) for name in names}


def any_filter(random: Random, depth: int = 3) -> Tree:
    kind = random.randrange(8 if depth else 5)
    if kind < 5:
        return _leaf(random)
    if kind == 5:
        return "not", any_filter(random, depth - 1)
    return ("and", "or")[kind - 6], *(any_filter(random, depth - 1) for _ in range(random.randrange(2, 4)))


def _value(random: Random) -> Any:
    kind = random.randrange(6)
    if kind < 2:
        return tuple(random.choices((_TEXTS, _NUMBERS)[kind], k=random.randrange(4)))
    return random.choice((random.choice(_NUMBERS), random.choice((True, False)), random.choice(_TEXTS)))


def _path(random: Random) -> tuple[str | int, ...]:
    field = random.choice(_FIELDS)
    return random.choice([(field,)] * 6 + [(field, random.randrange(3))] * 2 + [(field, "k"), (field, 0, 0)])


def _leaf(random: Random) -> Tree:
    path, kind = _path(random), random.choice(list(_PARTS))
    return kind, path, *_PARTS[kind](random)


def _comparison_parts(random: Random) -> Tree:
    value = random.choice(_LITERALS)
    return random.choice(("==", "!=") if isinstance(value, bool) else _COMPARISONS), value


def _range_parts(random: Random) -> Tree:
    low, high = random.choice([random.choices(_TEXTS, k=2), random.choices(_NUMBERS, k=2), [0, 2**53 + 1]])
    return low, random.choice(("<", "<=")), random.choice(("<", "<=")), high


def _calculation_parts(random: Random) -> Tree:
    value = random.choice((*_NUMBERS, 0, 1, 2, 18, 2**53 + 1, 2**54))
    return random.choice(("+", "-", "*")), random.choice(_ADDENDS), random.choice(_COMPARISONS), value


def _items(random: Random) -> Tree:
    return (tuple(random.choices(_LITERALS, k=random.randrange(4))),)


_PARTS: Final[Mapping[str, Callable[[Random], Tree]]] = {
    "compare": _comparison_parts,
    "range": _range_parts,
    "calculation": _calculation_parts,
    "exists": lambda _: (),
    "null": lambda _: (),
    "like": lambda random: (random.choice(_PATTERNS),),
    "in": _items,
    "contains": lambda random: (random.choice(_LITERALS),),
    "contains_all": _items,
    "contains_any": _items,
    "length": lambda random: (random.choice(_COMPARISONS), random.randrange(-1, 4)),
}
"""Parts of each kind of leaf after its path."""


def text_of(tree: Tree, random: Random) -> str:
    """Return one of the texts of the tree: spellings, quotes and unneeded parentheses vary."""
    match tree:
        case "and" | "or" as name, *parts:
            spellings = {"and": ("and", "AND", "&&"), "or": ("or", "OR", "||")}[name]
            return f" {random.choice(spellings)} ".join(_enclosed(part, random) for part in parts)
        case "not", part:
            return f"{random.choice(('not ', 'NOT ', '!', 'not'))}({text_of(part, random)})"
        case _:
            text = _leaf_text(tree, random)
            return f"({text})" if random.random() < 0.1 else text


def _enclosed(part: Tree, random: Random) -> str:
    text = text_of(part, random)
    return f"({text})" if part[0] in ("and", "or") else text


def _leaf_text(leaf: Tree, random: Random) -> str:
    kind, path, *parts = leaf
    field = _path_text(path, random)
    match kind:
        case "exists":
            return f"exists {field}"
        case "null":
            return f"{field} is null"
        case "like" | "in":
            return f"{field} {kind} {_literal(parts[0], random)}"
        case "range":
            return _range_text(field, parts, random)
        case "contains" | "contains_all" | "contains_any":
            name = f"{random.choice(('json', 'array'))}_{kind}"
            return f"{random.choice((name, name.upper()))}({field}, {_literal(parts[0], random)})"
        case _:
            *operation, comparison, value = parts
            left = _left_text(kind, field, operation, random)
            return _comparison(left, comparison, _literal(value, random), random)


def _range_text(field: str, parts: list[Any], random: Random) -> str:
    low, first, second, high = parts
    written = [_literal(low, random), first, field, second, _literal(high, random)]
    return " ".join(written if random.random() < 0.5 else map(_mirrored, reversed(written)))


def _left_text(kind: str, field: str, operation: list[Any], random: Random) -> str:
    if kind == "length":
        return f"array_length({field})"
    if not operation:
        return field
    sign, number = operation
    return f"{number!r} {sign} {field}" if sign != "-" and random.random() < 0.5 else f"{field} {sign} {number!r}"


def _comparison(left: str, comparison: str, right: str, random: Random) -> str:
    if random.random() < 0.3:
        return f"{right} {_mirrored(comparison)} {left}"
    return f"{left} {comparison} {right}"


def _mirrored(part: str) -> str:
    return {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(part, part)


def _path_text(path: tuple[str | int, ...], random: Random) -> str:
    first, *others = path
    is_name = str(first) not in ("x-y", "threshold")
    if is_name and random.random() < 0.5:
        found = str(first)
    else:
        found = f"{random.choice(('metadata', '$meta'))}[{_literal(first, random)}]"
    return found + "".join(f"[{_literal(key, random)}]" for key in others)


def _literal(value: Any, random: Random) -> str:
    if isinstance(value, bool):
        return random.choice((str(value), str(value).lower(), str(value).upper()))
    if isinstance(value, tuple):
        items: tuple[Any, ...] = value
        return f"[{', '.join(_literal(item, random) for item in items)}]"
    if not isinstance(value, str):
        return repr(value)
    quote = random.choice("'\"")
    if random.random() < 0.3 and quote not in value and not value.endswith("\\"):
        return f"r{quote}{value}{quote}"
    return quote + value.replace("\\", "\\\\").replace(quote, f"\\{quote}") + quote
