"""Text to words, by analyzers made of filters that every OpenSearch brings along.

They follow the embedded index's own analysis (`adapters.local.index.lexical.tokenizer` and `.languages`): the same stop words and,
where the engine has it, the stemmer of the same language.
"""

from collections.abc import Mapping
from typing import Any, Final

from groundwire.adapters.stop_words import STOP_WORDS
from groundwire.domain.documents.record import UNDETERMINED_LANGUAGE

UNSTEMMED: Final = "mul"
"""The one field of all languages without a stemmer."""

_STEMMERS: Final[Mapping[str, str]] = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "porter2",
    "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi",
    "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nl": "dutch",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "tr": "turkish",
}  # fmt: skip
"""The filter `stemmer`'s names by ISO 639-1."""

_POLISH_ENDINGS: Final = "(?<=\\p{L}{3})(?:ami|ach|owie|owi|ego|emu|ych|ymi|imi|iej|ów|om|em|ie|ą|ę|y|i|a|e|o|u)$"
"""Of nouns and adjectives: the engine's own Polish stemmer is a plugin that a service may lack."""

LANGUAGES: Final = (*sorted((*_STEMMERS, "pl")), UNSTEMMED)
"""Each has an analyzer and, in an index that holds text of it, a field."""

_ANALYSED_AS: Final[Mapping[str, str]] = {"nb": "no", "nn": "no", UNDETERMINED_LANGUAGE: "en"}
"""Analysed as another. A detector is unsure of short texts, and the names and terms in them are mostly English."""

_LOWERCASE: Final = "lowercase"
_OWN_LOWERCASE: Final[Mapping[str, str]] = {"el": "greek", "ga": "irish"}
"""Languages whose stemmer reads letters as this lower-casing leaves them."""

_ELISIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "ca": ("d", "l", "m", "n", "s", "t"),
    "fr": ("c", "d", "j", "jusqu", "l", "lorsqu", "m", "n", "puisqu", "qu", "quoiqu", "s", "t"),
    "it": (
        *("all", "c", "coll", "d", "dall", "degl", "dell", "gl", "l", "m", "nell", "quell", "quest", "s", "sull"),
        *("t", "un"),
    ),
}
"""What stands before an apostrophe and is no part of the word, in the languages that write so."""

_NAME_SEPARATORS: Final = "(?<=\\p{L})[._/,:](?=\\w)|(?<=\\w)[._/,:](?=\\p{L})"
"""Between the parts of a name such as `a.b`, `x_y` or `k:v`; the point within a number stays."""


def analyzer_language(code: str) -> str:
    """The language of `LANGUAGES` by which text of this ISO 639-1 code, with or without a region, is analysed."""
    language = code.casefold().replace("_", "-").partition("-")[0]
    language = _ANALYSED_AS.get(language, language)
    return language if language in LANGUAGES else UNSTEMMED


def analysis() -> dict[str, Any]:
    """The analyzers of an index, each named as its language."""
    filters: dict[str, Any] = {"possessive": {"type": "stemmer", "language": "possessive_english"}}
    analyzers: dict[str, Any] = {}
    for language in LANGUAGES:
        own = _filters(language)
        filters |= own
        analyzers[language] = {
            "type": "custom",
            "char_filter": ["joints"],
            "tokenizer": "standard",
            "filter": _filter_chain(language, own),
        }
    joints = {"type": "pattern_replace", "pattern": _NAME_SEPARATORS, "replacement": " "}
    return {"char_filter": {"joints": joints}, "filter": filters, "analyzer": analyzers}


def _filters(language: str) -> dict[str, Any]:
    """The language's own filters, by name."""
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


def _filter_chain(language: str, own: Mapping[str, Any]) -> list[str]:
    """Folded, cut into pairs of characters where words stand without spaces, and then made into stems."""

    def named(*parts: str) -> list[str]:
        return [name for part in parts if (name := f"{language}_{part}") in own]

    lower = named("lower") or [_LOWERCASE]
    return ["cjk_width", *lower, "possessive", *named("elision"), "cjk_bigram", *named("stop", "stem")]
