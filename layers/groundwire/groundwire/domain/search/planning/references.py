"""References to earlier messages: pronouns, places, and items of a list."""

import re
from typing import Final, NamedTuple

from groundwire.domain.search.planning.subjects import content_phrase, options_of, subject_of
from groundwire.domain.search.planning.vocabulary import (
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    FORMS_OF_BE,
    PREPOSITIONS,
    WH_WORDS,
    Word,
    starts_question,
    without_end_marks,
    word_set,
    words_of,
)

_MAX_SHORT_SUBJECT: Final = 6
"""Words of a subject that takes the place of a pronoun; a longer one is appended."""
_MAX_SELECTING_WORDS: Final = 5
"""Words around an item in a message that only selects it, as "Tell me more about the second one"."""
_MAX_READ_WORDS: Final = 80

_PERSONAL: Final = word_set("he him she her")
_POSSESSIVE: Final = word_set("its their his her theirs hers")
_SUBJECTS: Final = word_set("it they he she")
_OBJECTS: Final = word_set("it them him her")
_INDEFINITE: Final = word_set("someone somebody anyone anybody everyone everybody nobody person people one's")
_DEMONSTRATIVES: Final = word_set("this that these those")
_TIMES: Final = word_set("""year month week day morning evening afternoon time century moment quarter""")
_EMPTY_IT: Final = word_set(
    """possible allowed legal illegal true normal necessary required safe ok okay mandatory permitted better
    important worth hard easy common raining take cost"""
)
_OWN_NOUNS: Final = DETERMINERS - _DEMONSTRATIVES - {"any", "some", "each", "every"}

_NAME_VERBS: Final = FORMS_OF_BE | word_set("did does has had wrote won led made began became found")
"""Verbs after a name that is the first word of an answer."""
_PLACE_NAME: Final = re.compile(r"\b(?:in|at|near) (?:the )?[A-Z]\w+(?: [A-Z]\w+)*")
_ABOUT_PERSON: Final = re.compile(r"who (?:is|was|are|were) [A-Z]", re.IGNORECASE)

_ORDINALS: Final = {
    **dict.fromkeys(["first", "1st", "one", "1", "a"], 0),
    **dict.fromkeys(["second", "2nd", "two", "2", "b"], 1),
    **dict.fromkeys(["third", "3rd", "three", "3", "c"], 2),
    **dict.fromkeys(["fourth", "4th", "four", "4", "d"], 3),
    **dict.fromkeys(["fifth", "5th", "five", "5", "e"], 4),
    **dict.fromkeys(["last", "final"], -1),
}
_PLACE: Final = "first|second|third|fourth|fifth|last|final|1st|2nd|3rd|4th|5th"
_SELECTION: Final = re.compile(
    rf"\b(?:the (?P<place>{_PLACE}) (?:one|option|point|item|entry|choice|(?:two |three )?of (?:these|those|them))\b"
    rf"|the (?P<alone>{_PLACE})(?=\s*(?:$|[?.!,;]|(?:is|are|was|were|does|do|did|has|have|can|for|in|and|or)\b))"
    r"|(?:option|number|item|point|no\.?|#) ?(?P<number>[1-5]|one|two|three|four|five|[a-e])\b"
    r"|the (?P<pair>former|latter)(?: one)?\b)",
    re.IGNORECASE,
)


class Reference(NamedTuple):
    """Word of a question that means something named earlier.

    Attributes:
        start, end: its place in the question.
    """

    key: str
    start: int
    end: int


def find_reference(question: str) -> Reference | None:
    """Return the first word that refers to another message; a pronoun that its own sentence explains is none."""
    words = words_of(question)[:_MAX_READ_WORDS]
    for number, word in enumerate(words):
        if word.key in _SUBJECTS | _POSSESSIVE | _OBJECTS or word.key in {"they're", "it's", "that's"}:
            if not _is_explained(words, number) and not _is_empty(words, number):
                return Reference(word.key, word.start, word.end)
        elif word.key in _DEMONSTRATIVES:
            if _is_demonstrative(words, number) and not _is_explained(words, number):
                return _with_noun(words, number)
        elif (word.key == "there" and _is_place(words, number)) or (
            word.key in {"one", "ones"} and number and words[number - 1].key in {"which", "that", "this", "other"}
        ):
            return Reference(word.key, word.start, word.end)
    return None


def _is_empty(words: list[Word], number: int) -> bool:
    """Return whether "it" is no pronoun, as in "is it possible" and "how long does it take"."""
    following = {word.key for word in words[number + 1 : number + 4]}
    after = words[number + 1].key if number + 1 < len(words) else ""
    return words[number].key == "it" and (
        (
            bool(following & _EMPTY_IT)
            and ({"to", "that", "if"} & {word.key for word in words[number + 1 : number + 8]}) != set()
        )
        or (after in {"take", "raining"} and "to" in following)
    )


def _is_explained(words: list[Word], number: int) -> bool:
    """Return whether the sentence itself names what the pronoun means.

    A possessive means a noun phrase before it. A subject means one of an earlier clause; so does an object, which never
    means the subject of its own clause.
    """
    nouns = [
        place
        for place in range(number)
        if words[place].key in _OWN_NOUNS or (place and words[place].is_capitalised and words[place].text != "I")
    ]
    auxiliary = next((place for place, word in enumerate(words) if word.key in AUXILIARIES), 0)
    if words[number].key not in {"it", "its"} and any(word.key in _INDEFINITE for word in words[:number]):
        # "How much does somebody get who drives their own car".
        return True
    if words[number].key in _POSSESSIVE and number < auxiliary and any(word.is_content for word in words[auxiliary:]):
        # "How much of their heat do stars emit": the subject follows.
        return True
    if not nouns:
        return False
    if words[number].key in _POSSESSIVE and number + 1 < len(words) and words[number + 1].is_content:
        return True
    return any(words[place].key in CONJUNCTIONS for place in range(nouns[0] + 1, number)) or any(
        words[place].start - words[place - 1].end > 1 for place in range(nouns[0] + 1, number + 1)
    )


def _is_demonstrative(words: list[Word], number: int) -> bool:
    """Return whether "this" or "that" points back; "that" after a noun or a verb is a conjunction."""
    following = words[number + 1].key if number + 1 < len(words) else ""
    if following in _TIMES or (words[number].key in {"those", "that"} and following in {"who", "which", "of"}):
        return False
    if words[number].key != "that":
        return True
    before = words[number - 1].key if number else ""
    return not before or number + 1 == len(words) or before in AUXILIARIES | PREPOSITIONS | WH_WORDS | CONJUNCTIONS


def _with_noun(words: list[Word], number: int) -> Reference:
    """Return a demonstrative; with a noun after it, the noun stays in the question."""
    return Reference(words[number].key, words[number].start, words[number].end)


def _is_place(words: list[Word], number: int) -> bool:
    """Return whether "there" is a place, not part of "there is"."""
    before = words[number - 1].key if number else ""
    after = words[number + 1].key if number + 1 < len(words) else ""
    return after not in FORMS_OF_BE and before not in FORMS_OF_BE


def resolve_reference(question: str, reference: Reference, earlier: str, answer: str) -> list[str]:
    """Return the question with the referent of an earlier message, the likeliest first.

    Args:
        question: one question of the user.
        reference: its first reference.
        earlier: the question before.
        answer: the assistant's message after it.
    """
    subject = subject_of(earlier)
    named = _name_in_answer(earlier, answer)
    if reference.key in _PERSONAL | {"his", "hers"}:
        order = _persons(earlier, subject, named)
    elif named and reference.key in {"it", "its", "it's"} and earlier.lower().startswith("who"):
        order = [subject]
    elif named and (
        _requests_name(earlier) or (_is_name_alone(answer, named) and not earlier.lower().startswith("how"))
    ):
        is_first = _opens(answer, named) and reference.key not in {"they", "them", "their"}
        order = [named, subject] if is_first else [subject, named]
    else:
        order = [subject]
    if reference.key in {"one", "ones"}:
        options = options_of(answer)
        order = [" and ".join(options[:4])] if options else [subject]
    elif reference.key == "there" and (place := _PLACE_NAME.search(earlier)):
        order = [place[0]] if not named or not _is_name_alone(answer, named) else order
    resolved = [_replaced(question, reference, referent) for referent in order if referent]
    content = content_phrase(earlier[:400])
    if resolved and content not in resolved[0] and find_reference(resolved[0]) is not None:
        resolved[0] = f"{without_end_marks(resolved[0])}, {content}?"
    return resolved or [question]


def _is_name_alone(answer: str, name: str) -> bool:
    return len(words_of(answer[:200])) <= len(words_of(name)) + 1


def _persons(earlier: str, subject: str, named: str) -> list[str]:
    """Return what a personal pronoun may mean: the name in the answer, unless the question itself is about a name."""
    has_name = any(word.is_capitalised for word in words_of(subject))
    if not named or (has_name and not _requests_name(earlier)) or _ABOUT_PERSON.match(earlier):
        return [subject]
    return [named, subject]


def _opens(answer: str, name: str) -> bool:
    """Return whether a name opens the answer, perhaps after "It was"."""
    place = answer.find(name)
    return all(not word.is_content for word in words_of(answer[:place]))


def _replaced(question: str, reference: Reference, referent: str) -> str:
    following = question[reference.end :].lstrip()[:1]
    if reference.key in {"one", "ones"}:
        return f"{without_end_marks(question)}, {referent}?"
    is_determiner = (
        reference.key in _DEMONSTRATIVES and following.isalpha() and not _starts_with_verb(question[reference.end :])
    )
    if is_determiner or len(words_of(referent)) > _MAX_SHORT_SUBJECT:
        return (
            f"{without_end_marks(question)}, {referent}?"
            if question.rstrip().endswith("?")
            else f"{question.rstrip()} {referent}"
        )
    text = referent
    if reference.key in _POSSESSIVE - {"her"} or (reference.key == "her" and following.isalpha()):
        text = f"{referent}'s"
    elif reference.key == "there":
        text = referent if words_of(referent)[0].key in PREPOSITIONS else f"in {referent}"
    elif "'" in reference.key:
        text = f"{referent} is"
    return question[: reference.start] + text + question[reference.end :]


def _starts_with_verb(rest: str) -> bool:
    words = words_of(rest[:40])
    return bool(words) and not words[0].is_content


def _requests_name(question: str) -> bool:
    """Return whether the answer to a question is a name, as after "who" and "which"."""
    keys = [word.key for word in words_of(question[:200])[:3]]
    return bool(keys) and (
        keys[0] in {"who", "which", "where", "whose", "whom"} or "which" in keys or keys[:1] == ["name"]
    )


def answered_name(question: str, answer: str) -> str:
    """Return the name with which a message answers a question for one; empty for other questions."""
    words = words_of(question[:200])
    is_what = len(words) > 1 and words[0].key == "what" and words[1].is_content
    return _name_in_answer(question, answer) if is_what or _requests_name(question) else ""


def _name_in_answer(question: str, answer: str) -> str:
    """Return the first name of an answer that the question does not contain; empty where there is none."""
    known = {word.key for word in words_of(question[:600])}
    words = words_of(answer[:600])
    for number, word in enumerate(words):
        opens = number == 0 or "." in answer[words[number - 1].end : word.start]
        if not word.text[0].isupper() or word.key in known or not word.is_content:
            continue
        end = number + 1
        while (
            end < len(words)
            and words[end].text[0].isupper()
            and answer[words[end - 1].end : words[end].start] in {" ", "-"}
        ):
            end += 1
        if opens and end == number + 1 and len(words) > 4:  # noqa: PLR2004
            # One capitalised word that opens a sentence may be any word.
            follows = words[end].key if end < len(words) else ""
            has_comma = answer[word.end : word.end + 1] == ","
            if not has_comma and follows not in _NAME_VERBS and not follows.endswith("ed"):
                continue
        return answer[word.start : words[end - 1].end]
    return ""


def select_item(question: str, earlier: str, answer: str) -> list[str]:
    """Return the question with the list item that it selects, as "the second one"; empty where it selects none."""
    found = _SELECTION.search(question[:600])
    if found is None:
        return []
    options = options_of(answer) or options_of(earlier)
    if not options:
        return []
    if found["pair"]:
        place = 0 if found["pair"].lower() == "former" else len(options) - 1
    else:
        place = _ORDINALS[(found["place"] or found["alone"] or found["number"]).lower()]
    if place >= len(options):
        return []
    item = options[place]
    alone = question[: found.start()] + item + question[found.end() :]
    if not starts_question(words_of(question)) and len(words_of(alone)) <= len(words_of(item)) + _MAX_SELECTING_WORDS:
        return [f"{without_end_marks(earlier)}: {item}", item]
    return [alone, f"{without_end_marks(alone)}, {subject_of(earlier)}"]
