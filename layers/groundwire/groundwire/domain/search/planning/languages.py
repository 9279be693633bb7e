"""Languages other than English: whether a question depends on the one before."""

import re
from typing import Final

from groundwire.domain.search.planning.vocabulary import word_set

_HAN_OR_KANA: Final = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_CYRILLIC: Final = re.compile("[\u0400-\u04ff]")
_WORD: Final = re.compile(r"[^\W\d_]++(?:['\u2019-][^\W\d_]++)*+")
_MAX_FRAGMENT_WORDS: Final = 3
_MAX_FRAGMENT_CHARACTERS: Final = 7
"""Length of a dependent question in a script without spaces."""
_MIN_MARKERS: Final = 2

_MARKERS: Final = {
    "de": """der die das den dem des ein eine einen einem einer und oder aber ist sind war waren wird werden hat
    haben kann k\u00f6nnen darf muss wie was wer wo wann warum welche welcher welches wieviel wohin ich wir
    sie er es nicht mit f\u00fcr von zu bei auf aus nach im in am gibt auch noch dann beim zum zur""",
    "fr": """le la les un une des du de et ou mais est sont \u00e9tait \u00e9t\u00e9 a ont peut comment quand
    pourquoi o\u00f9 qui que quoi quel quelle quels quelles combien je nous vous il elle ils elles ne pas
    avec pour dans sur au aux en ce cette ces y qu'est-ce c'est""",
    "es": """el la los las un una unos unas y o pero es son era fue ha han puede c\u00f3mo cu\u00e1ndo por qu\u00e9
    d\u00f3nde qui\u00e9n cu\u00e1l cu\u00e1les cu\u00e1nto cu\u00e1nta cu\u00e1ntos cu\u00e1ntas yo se su
    no con para en del al de que hay est\u00e1 est\u00e1n tambi\u00e9n""",
}
_ENGLISH_MARKERS: Final = word_set(
    """the of and is are was were what which who how when where why do does did can in on for to with it a an my i
    you there that about not"""
)
_MARKER_SETS: Final = {language: word_set(words) for language, words in _MARKERS.items()}

_OPENERS: Final = {
    "de": re.compile(
        r"(?:und|aber|oder|auch|dann|was ist mit|wie (?:ist|sieht) es|wie steht es|wieso|warum das)\b", re.IGNORECASE
    ),
    "fr": re.compile(r"(?:et|mais|ou alors|alors|qu['\u2019]en est-il|pourquoi \u00e7a)\b", re.IGNORECASE),
    "es": re.compile(r"[\u00bf\s]*(?:y|pero|o|entonces|qu\u00e9 (?:pasa|hay|tal))\b", re.IGNORECASE),
    "ru": re.compile(
        r"(?:\u0438|\u0430|\u043d\u043e|\u0438\u043b\u0438|\u0442\u043e\u0433\u0434\u0430)\b", re.IGNORECASE
    ),
    "cjk": re.compile(
        "\u90a3|\u8fd8\u6709|\u4f46|\u5462|\u7136\u540e|\u4e3a\u4ec0\u4e48[\uff1f?]?$|\u3067\u306f|\u3058\u3083\u3042"
        "|\u305d\u308c|\u3067\u3082|\u305d\u3057\u3066|\uadf8\ub7fc|\uadf8\ub9ac\uace0"
    ),
}
_PRONOUNS: Final = {
    "de": word_set(
        """er es ihn ihm sie ihr ihre ihrer ihren ihrem seine sein seiner seinen seinem das dies dieser diese
        dieses diesen diesem dort da daf\u00fcr davon damit dazu dabei darauf dar\u00fcber jener jene
        letztere erstere"""
    ),
    "fr": word_set("il elle ils elles lui leur leurs son sa ses cela \u00e7a celui celle ceux l\u00e0"),
    "es": word_set(
        """\u00e9l ella ellos ellas eso esto aquello ese esa esos esas este esta estos estas su sus all\u00ed
        ah\u00ed"""
    ),
    "ru": word_set(
        """\u043e\u043d \u043e\u043d\u0430 \u043e\u043d\u043e \u043e\u043d\u0438 \u0435\u0433\u043e
        \u0435\u0435 \u0435\u0451 \u0438\u0445 \u0435\u043c\u0443 \u0435\u0439 \u0438\u043c
        \u043d\u0435\u0433\u043e \u043d\u0435\u0435 \u043d\u0435\u0451 \u043d\u0438\u0445 \u043d\u0438\u043c
        \u044d\u0442\u043e \u044d\u0442\u043e\u0442 \u044d\u0442\u0430 \u044d\u0442\u0438
        \u044d\u0442\u043e\u0433\u043e \u0442\u0430\u043c \u0442\u043e\u0442 \u0442\u0430 \u0442\u0435
        \u043d\u0451\u043c \u043d\u0435\u043c \u043d\u0435\u0439"""
    ),
}
_QUESTION_WORDS: Final = {
    "de": word_set(
        """wie was wer wen wem wessen wo wann warum wieso weshalb welche welcher welches welchen welchem wieviel
        wieviele woher wohin woran worin womit"""
    ),
    "fr": word_set(
        "comment quand pourquoi o\u00f9 qui quel quelle quels quelles combien que quoi qu'est-ce lequel laquelle"
    ),
    "es": word_set(
        """c\u00f3mo cu\u00e1ndo d\u00f3nde qui\u00e9n qui\u00e9nes cu\u00e1l cu\u00e1les cu\u00e1nto cu\u00e1nta
        cu\u00e1ntos cu\u00e1ntas qu\u00e9 por"""
    ),
    "ru": word_set(
        """\u043a\u0430\u043a \u0447\u0442\u043e \u043a\u0442\u043e \u0433\u0434\u0435
        \u043a\u043e\u0433\u0434\u0430 \u043f\u043e\u0447\u0435\u043c\u0443 \u0437\u0430\u0447\u0435\u043c
        \u0441\u043a\u043e\u043b\u044c\u043a\u043e \u043a\u0430\u043a\u043e\u0439
        \u043a\u0430\u043a\u0430\u044f \u043a\u0430\u043a\u0438\u0435 \u043a\u0430\u043a\u043e\u0435
        \u043a\u0443\u0434\u0430 \u043e\u0442\u043a\u0443\u0434\u0430 \u0447\u0435\u043c"""
    ),
}
_JOINTS: Final = {
    "de": re.compile(r"\s*,?\s+(?:und|sowie|au\u00dferdem)\s+", re.IGNORECASE),
    "fr": re.compile(r"\s*,?\s+et\s+", re.IGNORECASE),
    "es": re.compile(r"\s*,?\s+y\s+\u00bf?", re.IGNORECASE),
    "ru": re.compile(r"\s*,?\s+(?:\u0438|\u0430)\s+", re.IGNORECASE),
}
_GERMAN_ARTICLES: Final = word_set("der die das den dem des ein eine einen einem einer eines")
_CJK_PRONOUN: Final = re.compile(
    "[\u4ed6\u5979\u5b83]|[\u8fd9\u90a3][\u4e2a\u4e9b\u91cc\u662f\u6b21\u79cd\u4f4d\u6837]|\u5176|\u8be5"
    "|\u6b64|\u305d[\u306e\u308c\u3053\u3061]"
    "|\u3053[\u306e\u308c]|\u5f7c|\uadf8\uac83|\uadf8\ub294"
)
_CJK_INSIDE: Final = re.compile("[^\uff0c,\u3001]{6,}[\uff0c,\u3001]")
"""Clause before the one with a pronoun, which may name what it means."""


def language_of_question(text: str) -> str:
    """Return `en`, `de`, `fr`, `es`, `ru` or `cjk`; `en` where nothing points to another one."""
    text = text[:400]
    if _HAN_OR_KANA.search(text):
        return "cjk"
    if _CYRILLIC.search(text):
        return "ru"
    words = [word.lower().replace("\u2019", "'") for word in _WORD.findall(text)]
    english = sum(word in _ENGLISH_MARKERS for word in words)
    counts = {language: sum(word in markers for word in words) for language, markers in _MARKER_SETS.items()}
    best = max(counts, key=lambda language: counts[language])
    return (
        best if counts[best] > english and (counts[best] >= _MIN_MARKERS or len(words) <= _MAX_FRAGMENT_WORDS) else "en"
    )


def second_question(text: str, language: str) -> int | None:
    """Return where the second of two questions begins, as after "und wann"; None where there is one question.

    Both have words of their own: a second one with a pronoun is found with the first.
    """
    if language not in _QUESTION_WORDS:
        return None
    for joint in _JOINTS[language].finditer(text[:600]):
        before, after = _WORD.findall(text[: joint.start()]), _WORD.findall(text[joint.end() :])
        asks = bool(after) and after[0].lower() in _QUESTION_WORDS[language]
        if asks and min(len(before), len(after)) > _MAX_FRAGMENT_WORDS and not _has_open_pronoun(after, language):
            return joint.end()
    return None


def depends_on_previous(text: str, language: str) -> bool:
    """Return whether a question needs the one before: a conjunction opens it, it is short, or has an open pronoun."""
    stripped = text.strip()
    if _OPENERS[language].match(stripped):
        return True
    if language == "cjk":
        characters = sum(character.isalnum() for character in stripped)
        found = _CJK_PRONOUN.search(stripped[:400])
        return characters <= _MAX_FRAGMENT_CHARACTERS or (
            found is not None and _CJK_INSIDE.match(stripped[: found.start()]) is None
        )
    words = _WORD.findall(stripped[:400])
    if len(words) <= _MAX_FRAGMENT_WORDS:
        return True
    return _has_open_pronoun(words, language)


def _has_open_pronoun(words: list[str], language: str) -> bool:
    """Return whether a pronoun precedes every name of the sentence; one after a name most likely means it."""
    pronouns = _PRONOUNS[language]
    for number, word in enumerate(words):
        if word.lower() in pronouns and not (language == "de" and word == "das" and _is_noun(words, number + 1)):
            return True
        is_name = number > 0 and word[0].isupper()
        if is_name and (language != "de" or words[number - 1].lower() in _GERMAN_ARTICLES):
            return False
    return False


def _is_noun(words: list[str], number: int) -> bool:
    """Return whether a noun with a capital follows, perhaps after an adjective: then the word before is an article."""
    following = words[number : number + 2]
    if not following or following[0][0].isupper():
        return bool(following)
    return following[-1][0].isupper() and following[0].endswith(("e", "en", "er", "es", "em"))
