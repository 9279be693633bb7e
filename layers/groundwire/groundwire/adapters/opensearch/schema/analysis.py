"""Text analysis for the release before, whose rows have their words in a text field per language.

It may write and search an index that this release made, while a deployment rolls. The analyzers follow
`adapters.lexical`: the same stop words and, where the engine has it, the stemmer of the same language. Every OpenSearch
includes their filters.
"""

from collections.abc import Mapping
from typing import Any, Final

from groundwire.adapters.lexical.analyzer import STOP_WORDS

UNSTEMMED: Final = "mul"
"""Name of the one field for all languages without a stemmer."""

_STEMMERS: Final[Mapping[str, str]] = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "porter2",
    "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi",
    "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nl": "dutch",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "tr": "turkish",
}  # fmt: skip
"""Names of the filter `stemmer` by ISO 639-1."""

_POLISH_ENDINGS: Final = "(?<=\\p{L}{3})(?:ami|ach|owie|owi|ego|emu|ych|ymi|imi|iej|ów|om|em|ie|ą|ę|y|i|a|e|o|u)$"
"""Endings of nouns and adjectives: the engine's own Polish stemmer is a plugin that a service may lack."""

LANGUAGES: Final = (*sorted((*_STEMMERS, "pl")), UNSTEMMED)
"""Languages with an analyzer."""

ANALYZERS: Final[Mapping[str, str]] = {**{language: language for language in LANGUAGES}, "zh": UNSTEMMED}
"""Analyzer by language with a field of its own; an index has a field for each language of its texts.

Pairs of characters serve Chinese best. The analyzer is that of `UNSTEMMED`, because the analyzers of an existing index
cannot be extended while it serves searches."""

_LOWERCASE: Final = "lowercase"
_OWN_LOWERCASE: Final[Mapping[str, str]] = {"el": "greek", "ga": "irish"}
"""Languages whose stemmer needs this lower-casing."""

_ELISIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "ca": ("d", "l", "m", "n", "s", "t"),
    "fr": ("c", "d", "j", "jusqu", "l", "lorsqu", "m", "n", "puisqu", "qu", "quoiqu", "s", "t"),
    "it": (
        *("all", "c", "coll", "d", "dall", "degl", "dell", "gl", "l", "m", "nell", "quell", "quest", "s", "sull"),
        *("t", "un"),
    ),
}
"""Elided articles before an apostrophe, which are no part of the word."""

_NAME_SEPARATORS: Final = "(?<=\\p{L})[._/,:](?=\\w)|(?<=\\w)[._/,:](?=\\p{L})"
"""Separators in names such as `a.b`, `x_y` or `k:v`; the point within a number stays."""


def analysis() -> dict[str, Any]:
    """Return the analysis settings of an index; each analyzer has its language's name."""
    filters: dict[str, Any] = {"possessive": {"type": "stemmer", "language": "possessive_english"}}
    analyzers: dict[str, Any] = {}
    for language in LANGUAGES:
        own_filters = _filters(language)
        filters |= own_filters
        analyzers[language] = {
            "type": "custom",
            "char_filter": ["joints"],
            "tokenizer": "standard",
            "filter": _filter_chain(language, own_filters),
        }
    joints = {"type": "pattern_replace", "pattern": _NAME_SEPARATORS, "replacement": " "}
    return {"char_filter": {"joints": joints}, "filter": filters, "analyzer": analyzers}


def _filters(language: str) -> dict[str, Any]:
    """Return the language's own filters, by name."""
    found: dict[str, Any] = {}
    if language in _OWN_LOWERCASE:
        found[f"{language}_lower"] = {"type": _LOWERCASE, "language": _OWN_LOWERCASE[language]}
    if language in _ELISIONS:
        found[f"{language}_elision"] = {"type": "elision", "articles": list(_ELISIONS[language])}
    if stop_words := STOP_WORDS.get(language):
        found[f"{language}_stop"] = {"type": "stop", "stopwords": sorted(stop_words)}
    if language in _STEMMERS:
        found[f"{language}_stem"] = {"type": "stemmer", "language": _STEMMERS[language]}
    if language == "pl":
        found["pl_stem"] = {"type": "pattern_replace", "pattern": _POLISH_ENDINGS, "replacement": ""}
    return found


def _filter_chain(language: str, own_filters: Mapping[str, Any]) -> list[str]:
    """Return the filters in order: folding, pairs of characters for scripts without spaces, then stems."""

    def named(*parts: str) -> list[str]:
        return [name for part in parts if (name := f"{language}_{part}") in own_filters]

    lower = named("lower") or [_LOWERCASE]
    return ["cjk_width", *lower, "possessive", *named("elision"), "cjk_bigram", *named("stop", "stem")]
