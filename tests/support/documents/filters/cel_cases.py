"""Random CEL filters as text, in the form for the product and in that for another implementation."""

import json
from dataclasses import dataclass
from random import Random
from typing import Final

from groundwire.domain.documents.metadata import Metadata, metadata_from_mapping

NUMBERS: Final = (-3.0, -0.5, 0.0, 1.0, 2.0, 3.5, 9.0)
TEXTS: Final = ("", "a", "ab", "abc", "b", "B", "é", "it's", 'say "x"', "a\\b", "1")
_FIELDS: Final = ("n", "year", "t", "x-y", "flag", "tags", "sizes")
_COMPARISONS: Final = ("==", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class CelText:
    """Filter in two spellings: whole numbers and names in any form, and as doubles of `metadata[...]`."""

    ours: str
    plain: str


def any_document(random: Random) -> Metadata:
    """Return a document in which each field has its own type, or is absent."""
    held: dict[str, object] = {
        "n": random.choice(NUMBERS),
        "year": random.choice(NUMBERS),
        "t": random.choice(TEXTS),
        "x-y": random.choice(TEXTS),
        "flag": random.random() < 0.5,
        "tags": random.choices(TEXTS, k=random.randrange(4)),
        "sizes": random.choices(NUMBERS, k=random.randrange(4)),
    }
    return metadata_from_mapping({name: held[name] for name in random.sample(_FIELDS, random.randrange(3, 8))})


def any_filter(random: Random, depth: int = 3) -> CelText:
    match random.randrange(7 if depth else 4):
        case 4 | 5:
            operator = random.choice((" && ", "||", " || ", "&&"))
            parts = [any_filter(random, depth - 1) for _ in range(random.randrange(2, 4))]
            return CelText(*(f"({operator.join(texts)})" for texts in zip(*map(_pair, parts), strict=True)))
        case 6:
            part = any_filter(random, depth - 1)
            return CelText(f"!({part.ours})", f"!({part.plain})")
        case _:
            return _leaf(random)


def _pair(text: CelText) -> tuple[str, str]:
    return text.ours, text.plain


def _leaf(random: Random) -> CelText:
    field = random.choice(_FIELDS)
    name = CelText(_name(random, field), f"metadata[{json.dumps(field)}]")
    match random.randrange(8):
        case 0:
            return _spaced(random, [CelText(f'"{field}"', f'"{field}"'), _same("in"), _same("metadata")])
        case 1 if field != "x-y":
            return _same(f"has(metadata.{field})")
        case 2 if field in ("t", "x-y"):
            function = random.choice(("startsWith", "contains", "endsWith"))
            part = _text(random)
            return CelText(f"{name.ours}.{function}({part.ours})", f"{name.plain}.{function}({part.plain})")
        case 3 if field not in ("tags", "sizes"):
            return _spaced(random, [name, _same("in"), _list(random, field)])
        case _:
            return _comparison(random, field, name)


def _comparison(random: Random, field: str, name: CelText) -> CelText:
    if field in ("tags", "sizes"):
        if random.random() < 0.7:
            return _spaced(random, [_literal(random, field), _same("in"), name])
        sides = [name, _same(random.choice(("==", "!="))), _list(random, field)]
    else:
        sides = [name, _same(random.choice(_COMPARISONS)), _literal(random, field)]
    return _spaced(random, sides if random.random() < 0.8 else sides[::-1])


def _name(random: Random, field: str) -> str:
    forms = [f'metadata["{field}"]', f"metadata [ '{field}' ]"]
    if "-" not in field:
        forms += [f"metadata.{field}", field]
    return random.choice(forms)


def _list(random: Random, field: str) -> CelText:
    items = [_literal(random, field) for _ in range(random.randrange(4))]
    return CelText(f"[{', '.join(item.ours for item in items)}]", f"[{', '.join(item.plain for item in items)}]")


def _literal(random: Random, field: str) -> CelText:
    if field in ("n", "year", "sizes"):
        number = random.choice(NUMBERS)
        forms = [repr(number), f"{number:.3e}"]
        if number.is_integer():
            forms += [str(int(number)), f"{'-' * (number < 0)}0x{abs(int(number)):x}"]
        if number >= 0 and number.is_integer():
            forms.append(f"{int(number)}u")
        return CelText(random.choice(forms), repr(number))
    if field == "flag":
        return _same(random.choice(("true", "false")))
    return _text(random)


def _text(random: Random) -> CelText:
    text = random.choice(TEXTS)
    plain = json.dumps(text, ensure_ascii=False)
    forms = [plain, json.dumps(text), "'" + "".join(f"\\U{ord(each):08x}" for each in text) + "'"]
    if "\\" not in text and '"' not in text:
        forms.append(f'"""{text}"""')
    if "'" not in text:
        forms.append(f"r'{text}'")
    return CelText(random.choice(forms), plain)


def _same(text: str) -> CelText:
    return CelText(text, text)


def _spaced(random: Random, parts: list[CelText]) -> CelText:
    space = random.choice((" ", "\n", " // and so on\n "))
    return CelText(space.join(part.ours for part in parts), " ".join(part.plain for part in parts))


TOKENS: Final = (
    *("a", "metadata", "metadata.a", 'metadata["a"]', "has", "timestamp", "size", "if", "and", "OR", "not", "in"),
    *("true", "null", "1", "-1", "2u", "0x1F", "1.5", ".5", "1e3", "1.", '"x"', "'x'", 'r"\\d"', '"""x"""', 'b"x"'),
    *(
        "==",
        "!=",
        "<",
        ">=",
        "=",
        "&&",
        "||",
        "&",
        "!",
        "+",
        "-",
        "*",
        "%",
        "?",
        ":",
        ".",
        ",",
        "(",
        ")",
        "[",
        "]",
        "{",
    ),
    *("}", ".startsWith(", ".size()", ".b", "$", '"', "'", "\\", "// x", "\n", "has(metadata.a)", "é"),
)
"""Tokens of CEL, of other languages, and of none."""


def any_text(random: Random) -> str:
    """Return a filter with one to three words changed, removed or added, or a sequence of tokens."""
    if random.random() < 0.2:
        return " ".join(random.choices(TOKENS, k=random.randrange(1, 8)))
    words = any_filter(random, 1).ours.split(" ")
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(words) + 1)
        words[at : at + random.randrange(2)] = random.choices(TOKENS, k=random.randrange(3))
    return " ".join(words)
