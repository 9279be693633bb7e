"""Languages that an embedding model was trained for; in all others its similarities are little more than noise."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self

from groundwire.domain.documents.record import UNDETERMINED_LANGUAGE

MULTIPLE_LANGUAGES: Final = "mul"
"""ISO 639-2 code for "multiple languages". Of a model: every language. Of a row: one that the index does not tell."""

_CODE: Final = re.compile(r"[a-z]{2,3}")


@dataclass(frozen=True, slots=True)
class ModelLanguages:
    """Languages of a model.

    Attributes:
        codes: ISO 639-1; None: every language, or unknown, which is treated alike.
    """

    codes: frozenset[str] | None

    @classmethod
    def of(cls, names: Iterable[str]) -> Self:
        """Return the languages that a file or a model's card names; one of several languages may say only that.

        Codes may have a region. Other words than codes are ignored; without any code nothing is known.
        """
        codes = frozenset(map(language_code, names))
        # Model cards of Hugging Face have this word among their codes of languages.
        if codes & {"multilingual", MULTIPLE_LANGUAGES}:
            return cls(None)
        return cls(frozenset(code for code in codes if _CODE.fullmatch(code)) or None)

    def knows(self, language: str) -> bool:
        """Return whether the model supports the language of a row.

        A text whose language was not detected is taken for English, as its words are. Where the index tells only that
        the language is one of several, a model of several languages is assumed to know it.
        """
        if self.codes is None:
            return True
        code = language_code(language)
        if code == MULTIPLE_LANGUAGES:
            return len(self.codes) > 1
        return ("en" if code == UNDETERMINED_LANGUAGE else code) in self.codes

    def names(self) -> Sequence[str]:
        """Return the codes in order, as they are stored."""
        return [MULTIPLE_LANGUAGES] if self.codes is None else sorted(self.codes)


ALL_LANGUAGES: Final = ModelLanguages(None)
"""Languages of a model that knows every one, or of which nobody has stated any."""
ENGLISH: Final = ModelLanguages(frozenset({"en"}))

MULTILINGUAL_SMALL_NAME: Final = "multilingual-small"
"""Name of the packaged model that is built from multilingual-e5-small."""
_MULTILINGUAL_E5_CODES: Final = (
    "af am ar as az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr fy ga gd gl gu ha he hi hr hu hy id"
    " is it ja jv ka kk km kn ko ku ky la lo lt lv mg mk ml mn mr ms my nb ne nl nn no om or pa pl ps pt ro ru sa"
    " sd si sk sl so sq sr su sv sw ta te th tl tr ug uk ur uz vi xh yi zh"
)
_MULTILINGUAL_E5: Final = ModelLanguages(frozenset(_MULTILINGUAL_E5_CODES.split()))
"""Languages on the card of multilingual-e5-small, with both written forms of its Norwegian."""

_STATED: Final = {
    "all-MiniLM-L6-v2-int8": ENGLISH,
    "sentence-transformers/all-MiniLM-L6-v2": ENGLISH,
    "sentence-transformers/all-MiniLM-L12-v2": ENGLISH,
    "sentence-transformers/all-mpnet-base-v2": ENGLISH,
    "BAAI/bge-small-en-v1.5": ENGLISH,
    "BAAI/bge-base-en-v1.5": ENGLISH,
    "BAAI/bge-large-en-v1.5": ENGLISH,
    MULTILINGUAL_SMALL_NAME: _MULTILINGUAL_E5,
    "intfloat/multilingual-e5-small": _MULTILINGUAL_E5,
    "intfloat/multilingual-e5-base": _MULTILINGUAL_E5,
    "intfloat/multilingual-e5-large": _MULTILINGUAL_E5,
}
"""Languages by model name, where no file states them."""


def stated_languages(model_name: str) -> ModelLanguages:
    """Return the languages of a model by its name alone, with or without revision and settings."""
    return _STATED.get(model_name.partition("@")[0], ALL_LANGUAGES)


def language_code(language: str) -> str:
    """Return the code of a language without its region, in lower case."""
    return language.casefold().replace("_", "-").partition("-")[0]
